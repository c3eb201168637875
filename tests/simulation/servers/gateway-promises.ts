import { CHANGES_PATH } from '../../../src/domain/protocol/capabilities.ts';
import { carriedBy, stagedBy } from '../oracle/arrivals.ts';
import type { WireAnswer, WireRequest } from './server.ts';

interface Given {
  readonly user: string;
  readonly key: string;
  readonly body: string;
}

/**
 * The promises of a gateway itself, independent of its devices: a key has one permanent answer, which belongs to its
 * sender, and nobody learns of someone else's upload.
 */
export class GatewayPromises {
  readonly #users = new Map<string, string>();
  readonly #given: Given[] = [];
  /** Who has sent which file, in chunks or inside a change, as `user/hash`. */
  readonly #sent = new Set<string>();
  readonly #shown: string[] = [];

  noteToken(token: string, user: string): void {
    this.#users.set(`Bearer ${token}`, user);
  }

  /** Real work. */
  async noteRequest(request: WireRequest): Promise<void> {
    const { method, path, headers } = request;
    const user = this.#userOf(headers);
    if (method === 'PATCH') this.#sent.add(`${user}/${stagedBy(path, headers)}`);
    for (const hash of await carriedBy(request)) this.#sent.add(`${user}/${hash}`);
  }

  noteAnswer(request: WireRequest, answer: WireAnswer): void {
    this.#noteUpload(request, answer);
    const { method, headers } = request;
    const { status, body } = answer;
    const key = headers.get('idempotency-key');
    const user = this.#userOf(headers);
    if (method !== 'POST' || status !== 200 || key === null || user === undefined) return;
    this.#given.push({ user, key, body: textOf(body) });
  }

  #noteUpload({ method, path, headers }: WireRequest, answer: WireAnswer): void {
    const [user, hash] = [this.#userOf(headers), stagedBy(path, headers)];
    const isThere = Number(answer.headers.get('upload-offset') ?? 0) > 0;
    if (method !== 'POST' || hash === undefined || !isThere || this.#sent.has(`${user}/${hash}`)) return;
    this.#shown.push(`shown: an upload of somebody else to user ${user}`);
  }

  #userOf(headers: Headers): string | undefined {
    return this.#users.get(headers.get('authorization') ?? '');
  }

  /** Looks up every successfully answered key as each of the users. */
  async broken(
    tokens: ReadonlyMap<string, string>,
    ask: (request: WireRequest) => Promise<WireAnswer>,
  ): Promise<readonly string[]> {
    const broken: string[] = [...this.#shown];
    for (const { user, key, body } of this.#given) {
      for (const [asking, token] of tokens) {
        const headers = new Headers({ accept: 'application/json', authorization: `Bearer ${token}` });
        const answer = await ask({ method: 'GET', path: `${CHANGES_PATH}/${key}`, headers, body: undefined });
        if (asking !== user && answer.status !== 404) broken.push(`told: user ${asking} of a change of user ${user}`);
        if (asking === user && textOf(answer.body) !== body) broken.push(`answered otherwise: ${textOf(answer.body)}`);
      }
    }
    return broken;
  }
}

function textOf(body: Uint8Array): string {
  return Buffer.from(body).toString();
}
