import { createHash } from 'node:crypto';
import type { RequestLimits } from '../../../src/domain/protocol/request-limits.ts';
import { type BackEnd, jsonIn } from './back-end.ts';
import type { JournalKey } from './journal.ts';
import type { WireAnswer } from './transport.ts';
import type { Work } from './work.ts';

/** How long it is believed that a back end has keys of its own, and that it has none. Milliseconds. */
const BELIEVED_FOR = { yes: 60_000, no: 5 * 60_000 } as const;

/**
 * Whether the back end speaks the full protocol (`integrations/laravel`). It then makes a request under a key once, however often it
 * is sent, and nothing has to be concluded from what it shows.
 */
export class OwnKeys {
  readonly #backEnd: Pick<BackEnd, 'capabilities'>;
  readonly #now: () => number;
  #known: { readonly until: number; readonly limits: RequestLimits | undefined } | undefined;

  constructor(backEnd: Pick<BackEnd, 'capabilities'>, now: () => number) {
    this.#backEnd = backEnd;
    this.#now = now;
  }

  /** The limits of one request to a back end with keys. Undefined if it has none. `isFresh`: what is known does not count. */
  async limits(isFresh = false): Promise<RequestLimits | undefined> {
    const now = this.#now();
    if (!isFresh && this.#known !== undefined && now < this.#known.until) return this.#known.limits;
    const told = await this.#backEnd.capabilities();
    if (told === undefined) return undefined;
    const { idempotencyKeys, versions, changesByKey, limits } = told;
    const hasKeys = idempotencyKeys && versions && changesByKey;
    this.#known = { until: now + BELIEVED_FOR[hasKeys ? 'yes' : 'no'], limits: hasKeys ? limits : undefined };
    return this.#known.limits;
  }
}

/** The key of the next request of a change: the same whenever this part is sent, another one for each part. */
export function keyOfPart({ userId, key }: JournalKey, { left }: Pick<Work, 'left'>): string {
  return createHash('sha256')
    .update(JSON.stringify([userId, key, left.length]))
    .digest('base64url');
}

/** The id of a created record, where the answer has it. */
export function idIn(answer: WireAnswer | undefined): string | undefined {
  const { id } = ((answer && jsonIn(answer)) ?? {}) as { readonly id?: unknown };
  return typeof id === 'number' || typeof id === 'string' ? String(id) : undefined;
}

/** True if the back end is still making the change of an earlier request with this key. */
export function isInFlight(answer: WireAnswer): boolean {
  return answer.status === 409 && (jsonIn(answer) as { readonly code?: unknown } | undefined)?.code === 'in-flight';
}
