import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { Backend, type BackendOptions } from './contract-only/backend.ts';
import { WorkerDied } from './contract-only/habits.ts';

export { Backend as ContractOnlyBackend, type BackendOptions as ContractOnlyOptions } from './contract-only/backend.ts';

export interface Listening {
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves a back end over HTTP on 127.0.0.1. A request that is cut within its body is never handled. */
export async function listen(backend: Backend, port = 0): Promise<Listening> {
  const server = createServer((incoming, outgoing) => void serve(backend, incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => closeServer(server),
  };
}

async function serve(backend: Backend, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const body = await readAll(incoming);
  if (body === undefined) return;
  const answer = await backend.handle(requestOf(incoming, body)).catch((error: unknown) => {
    if (!(error instanceof WorkerDied)) throw error;
    return undefined;
  });
  if (answer === undefined) {
    incoming.socket.destroy();
    return;
  }
  outgoing.statusCode = answer.status;
  if (answer.statusText !== '') outgoing.statusMessage = answer.statusText;
  for (const [name, value] of answer.headers) if (name !== 'set-cookie') outgoing.setHeader(name, value);
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies);
  outgoing.end(incoming.method === 'HEAD' ? undefined : new Uint8Array(await answer.arrayBuffer()));
}

/** Returns the whole body. Undefined if the connection is cut within it. */
async function readAll(incoming: IncomingMessage): Promise<Buffer | undefined> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  } catch {
    return undefined;
  }
}

function requestOf(incoming: IncomingMessage, body: Buffer): Request {
  const headers = new Headers();
  for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2) {
    headers.append(incoming.rawHeaders[i] ?? '', incoming.rawHeaders[i + 1] ?? '');
  }
  const method = incoming.method ?? 'GET';
  const url = `http://${incoming.headers.host ?? 'localhost'}${incoming.url ?? '/'}`;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(url, { method, headers, body: hasBody ? new Uint8Array(body) : null });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function options(values: { 'no-csrf'?: boolean; throttle?: string }): BackendOptions {
  return {
    csrf: values['no-csrf'] !== true,
    ...(values.throttle !== undefined && { throttle: Number(values.throttle) }),
  };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { port: { type: 'string' }, 'no-csrf': { type: 'boolean' }, throttle: { type: 'string' } },
  });
  const listening = await listen(new Backend(options(values)), Number(values.port ?? 0));
  console.log(`A stock back end of the contract is at ${listening.origin}`);
}
