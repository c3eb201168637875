import { CHANGES_PATH } from '../../../src/domain/protocol/capabilities.ts';
import type { WireAnswer, WireRequest } from './server.ts';

interface Given {
  readonly user: string;
  readonly key: string;
  readonly body: string;
}

/** What a gateway promises by itself, whatever its devices do: a key has one answer for good, and it is its sender's own. */
export class GatewayPromises {
  readonly #users = new Map<string, string>();
  readonly #given: Given[] = [];

  noteToken(token: string, user: string): void {
    this.#users.set(`Bearer ${token}`, user);
  }

  noteAnswer({ method, headers }: WireRequest, { status, body }: WireAnswer): void {
    const key = headers.get('idempotency-key');
    const user = this.#users.get(headers.get('authorization') ?? '');
    if (method !== 'POST' || status !== 200 || key === null || user === undefined) return;
    this.#given.push({ user, key, body: textOf(body) });
  }

  /** Asks by every key that was answered with success, as each of the users. */
  async broken(
    tokens: ReadonlyMap<string, string>,
    ask: (request: WireRequest) => Promise<WireAnswer>,
  ): Promise<readonly string[]> {
    const broken: string[] = [];
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
