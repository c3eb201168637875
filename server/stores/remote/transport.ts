import { Agent as PlainAgent, type IncomingMessage, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A request to the back end. */
export interface WireRequest {
  readonly method: 'GET' | 'POST';
  /** The path and query below the back end's prefix. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: { readonly stream: Readable; readonly length: number };
  /** Milliseconds without a byte of the answer before the request is abandoned. */
  readonly patience: number;
}

/** A complete answer. */
export interface WireAnswer {
  readonly status: number;
  /** Names are in lower case. Values of one name are joined, except for cookies. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Buffer;
}

/** The request did not reach the back end completely, so it has no effect. */
export class NotSentError extends Error {}

/** No complete answer arrived. The request may have taken effect, or may still do so. */
export class NoAnswerError extends Error {}

/** Sends one request once. Throws NotSentError or NoAnswerError. */
export type Transport = (request: WireRequest) => Promise<WireAnswer>;

const CONNECT_TIME = 10_000;
/** The largest accepted answer, in bytes. Pictures are larger than lists and records. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * HTTP to a back end. Reads share connections. Each change gets its own, because a pooled one that the back end has just
 * closed would fail a change that was never tried. `mostBytes` limits an answer.
 */
export function httpTransport(apiUrl: string, mostBytes = MOST_BYTES): Transport & { close(): void } {
  const base = new URL(apiUrl);
  const isSecure = base.protocol === 'https:';
  const kept = isSecure ? new SecureAgent({ keepAlive: true }) : new PlainAgent({ keepAlive: true });
  const send = isSecure ? secureRequest : plainRequest;
  const transport = (request: WireRequest) =>
    new Promise<WireAnswer>((resolve, reject) => {
      const path = base.pathname.replace(/\/$/, '') + request.path;
      const agent = request.method === 'GET' ? kept : false;
      const headers = { ...request.headers, ...lengthOf(request) };
      const outgoing = send(base, { method: request.method, path, headers, agent });
      let isConnected = false;
      const fail = (error: Error) => reject(failureOf(isConnected && outgoing.writableFinished, error));
      outgoing.setTimeout(CONNECT_TIME, () => outgoing.destroy(new Error('The back end does not answer.')));
      outgoing.once('socket', (socket) => {
        const isThere = () => {
          isConnected = true;
          outgoing.setTimeout(request.patience);
        };
        if (socket.connecting) socket.once(isSecure ? 'secureConnect' : 'connect', isThere);
        else isThere();
      });
      outgoing.once('error', fail);
      outgoing.once('response', (incoming) => void whole(incoming, mostBytes).then(resolve, fail));
      if (request.body === undefined) outgoing.end();
      else void pipeline(request.body.stream, outgoing).catch(fail);
    });
  return Object.assign(transport, { close: () => kept.destroy() });
}

function lengthOf({ method, body }: WireRequest): Record<string, string> {
  return method === 'GET' ? {} : { 'content-length': String(body?.length ?? 0) };
}

function failureOf(isWhollySent: boolean, cause: Error): Error {
  return isWhollySent
    ? new NoAnswerError('The back end did not answer.', { cause })
    : new NotSentError('The back end cannot be reached.', { cause });
}

async function whole(incoming: IncomingMessage, mostBytes: number): Promise<WireAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) throw new Error('The answer is too large.');
    chunks.push(chunk);
  }
  const { 'set-cookie': cookies = [], ...headers } = incoming.headers;
  const plain = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return {
    status: incoming.statusCode ?? 0,
    headers: Object.fromEntries(plain),
    cookies,
    body: Buffer.concat(chunks),
  };
}
