import type { FastifyInstance } from 'fastify';
import {
  type Beat,
  PRESENCE_LASTS,
  PRESENCE_PATH,
  type Present,
  readBeat,
} from '../../src/domain/protocol/presence.ts';
import { Refusal } from '../refusal.ts';
import { senderOf } from '../security/session.ts';
import type { SignedIn } from '../stores/store.ts';

/** So many pages of one person are remembered: the one that was heard of last stays. */
const MOST_PAGES = 20;

interface OpenPage {
  readonly user: SignedIn['user'];
  /** Resource and id. */
  readonly record: string;
  readonly isTyping: boolean;
  /** Epoch milliseconds. */
  readonly heardAt: number;
}

/** Who has which record open: in memory only, and only as long as it is told again and again. */
class Presence {
  readonly #now: () => number;
  /** By person and page, whoever was heard of last at the end. */
  readonly #pages = new Map<string, OpenPage>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Notes what a page tells, and answers who else has its record open: each person once, those who type first. */
  beat(user: SignedIn['user'], { resource, id, page, doing }: Beat): Present[] {
    const key = `${user.id} ${page}`;
    const record = `${resource}/${id}`;
    this.#forgetSilent();
    this.#pages.delete(key);
    if (doing !== 'left') this.#pages.set(key, { user, record, isTyping: doing === 'typing', heardAt: this.#now() });
    this.#keepTo(MOST_PAGES, user.id);
    return this.#othersAt(record, user.id);
  }

  #othersAt(record: string, userId: number): Present[] {
    const others = [...this.#pages.values()].filter((page) => page.record === record && page.user.id !== userId);
    const people = Map.groupBy(others, ({ user }) => user.id);
    return [...people.values()]
      .map((pages) => ({ name: pages[0]?.user.name ?? '', isTyping: pages.some(({ isTyping }) => isTyping) }))
      .toSorted((one, other) => Number(other.isTyping) - Number(one.isTyping));
  }

  #forgetSilent(): void {
    for (const [key, { heardAt }] of this.#pages) if (this.#now() - heardAt > PRESENCE_LASTS) this.#pages.delete(key);
  }

  #keepTo(most: number, userId: number): void {
    const own = [...this.#pages].filter(([, { user }]) => user.id === userId);
    for (const [key] of own.slice(0, Math.max(0, own.length - most))) this.#pages.delete(key);
  }
}

/** Who has a record open beside the one who asks. */
export function presenceRoute(app: FastifyInstance, now: () => number): void {
  const presence = new Presence(now);
  app.post(PRESENCE_PATH, async (request) => {
    const beat = readBeat(request.body);
    if (beat === undefined) throw new Refusal(400, { message: 'This is not a record that is open.' });
    return { present: presence.beat(senderOf(request).user, beat) };
  });
}
