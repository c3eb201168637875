import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { SignedIn } from './sign-in.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A minimal signed-in client with one keep-alive connection. */
export class Client {
  readonly #origin: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(origin: string, session: SignedIn) {
    this.#origin = origin;
    this.#headers = session.headers;
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.send('GET', path, headers);
  }

  /** Sends a form, encoded as a browser does. */
  async post(path: string, form: FormData, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const written = new Response(form);
    const type = written.headers.get('content-type') ?? '';
    const body = Buffer.from(await written.arrayBuffer());
    return this.send('POST', path, { ...headers, 'content-type': type, 'content-length': `${body.length}` }, body);
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Sends a request unchanged. */
  send(method: string, path: string, headers: Readonly<Record<string, string>>, body?: Buffer): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const options = { method, agent: this.#agent, headers: { ...this.#headers, ...headers } };
    const sent = request(this.#origin + path, options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) });
      });
    });
    sent.on('error', reject).end(body);
    return promise;
  }
}
