import { type Beat, PRESENCE_LASTS, type Present } from '../../src/domain/protocol/presence.ts';

/** So many pages of one person are remembered: the one that was heard of last stays. */
export const MOST_PAGES = 20;

/** Somebody who has a page open. */
interface Person {
  readonly id: number;
  readonly name: string;
}

/** Who has which record open: only as long as it is told again and again. */
export interface Presence {
  /** Notes what a page tells, and answers who else has its record open: each person once, those who type first. */
  beat(user: Person, beat: Beat): Promise<Present[]>;
}

interface OpenPage {
  readonly user: Person;
  /** Resource and id. */
  readonly record: string;
  readonly isTyping: boolean;
  /** Epoch milliseconds. */
  readonly heardAt: number;
}

/** Of the only process that anybody tells. */
export class PresenceHere implements Presence {
  readonly #now: () => number;
  /** By person and page, whoever was heard of last at the end. */
  readonly #pages = new Map<string, OpenPage>();

  constructor(now: () => number) {
    this.#now = now;
  }

  async beat(user: Person, { resource, id, page, doing }: Beat): Promise<Present[]> {
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
