import {
  NoAnswerError,
  NotSentError,
  type Transport,
  type WireAnswer,
  type WireRequest,
} from '../../server/stores/remote/transport.ts';
import { WorkerDied } from './contract-only/habits.ts';
import type { ContractOnlyBackend } from './contract-only-server.ts';

const ORIGIN = 'http://back-end.test';

/**
 * The fate of one request between a gateway and its back end. `refused`, `cut`: known not to have been executed. `lost`: not
 * executed, but the gateway cannot know. `unanswered`: executed, and the answer is lost. `hangs`: executed, and the
 * connection stays open. `twice`: executed twice. A function answers instead of the back end, and may let it execute the
 * request.
 */
export type BackFault = 'refused' | 'cut' | 'lost' | 'unanswered' | 'hangs' | 'twice' | Instead;

type Instead = (carryOut: () => Promise<WireAnswer>) => Promise<WireAnswer>;

/** The connection from a gateway to a back end in this process, with faults. */
export class BackLink {
  /** The faults of the next POSTs, in order. */
  readonly faults: (BackFault | undefined)[] = [];
  /** If true, reads fail too. */
  isDown = false;
  /** Every attempted POST, by path. */
  readonly posts: string[] = [];
  /** Every attempted read, by path. */
  readonly reads: string[] = [];
  /** Answers a read instead of the back end. Undefined lets it through. */
  insteadOfRead: (path: string) => Promise<WireAnswer> | undefined = () => undefined;
  readonly #backend: ContractOnlyBackend;

  constructor(backend: ContractOnlyBackend) {
    this.#backend = backend;
  }

  readonly transport: Transport = async (request) => {
    const body = await bytesOf(request);
    (request.method === 'POST' ? this.posts : this.reads).push(request.path);
    if (this.isDown) throw new NotSentError('There is no way to the back end.');
    if (request.method === 'GET') return this.insteadOfRead(request.path) ?? this.#handle(request, body);
    const fault = this.faults.shift();
    switch (fault) {
      case 'refused':
      case 'cut':
        throw new NotSentError('The connection was refused.');
      case 'lost':
        throw new NoAnswerError('The request was lost.');
      case 'unanswered':
        await this.#handle(request, body);
        throw new NoAnswerError('The answer was lost.');
      case 'hangs':
        await this.#handle(request, body);
        return new Promise<never>(() => undefined);
      case 'twice':
        await this.#handle(request, body);
        return this.#handle(request, body);
      case undefined:
        return this.#handle(request, body);
      default:
        return fault(() => this.#handle(request, body));
    }
  };

  async #handle({ method, path, headers }: WireRequest, body: Buffer): Promise<WireAnswer> {
    const init = { method, headers: { ...headers }, body: method === 'GET' ? null : new Uint8Array(body) };
    const answer = await this.#backend.handle(new Request(ORIGIN + path, init)).catch((error: unknown) => {
      throw error instanceof WorkerDied ? new NoAnswerError(error.message) : error;
    });
    const cookies = answer.headers.getSetCookie();
    answer.headers.delete('set-cookie');
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      cookies,
      body: Buffer.from(await answer.arrayBuffer()),
    };
  }
}

/** An answer from a proxy in between. */
export function answerOf(status: number, body: object | string): () => Promise<WireAnswer> {
  const isPage = typeof body === 'string';
  return async () => ({
    status,
    headers: { 'content-type': isPage ? 'text/html' : 'application/json' },
    cookies: [],
    body: Buffer.from(isPage ? body : JSON.stringify(body)),
  });
}

async function bytesOf({ body }: WireRequest): Promise<Buffer> {
  const chunks: Buffer[] = [];
  if (body !== undefined) for await (const chunk of body.stream) chunks.push(Buffer.from(chunk as Uint8Array));
  const bytes = Buffer.concat(chunks);
  if (bytes.length !== (body?.length ?? 0)) throw new Error('The body is not as long as was said.');
  return bytes;
}
