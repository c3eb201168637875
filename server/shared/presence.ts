import { type Beat, PRESENCE_LASTS, type Present } from '../../src/domain/protocol/presence.ts';
import { steadyClock } from './steady-clock.ts';

/** How many pages of one person are remembered. The most recent ones stay. */
export const MOST_PAGES = 20;

/** A person with an open page. */
interface Person {
  readonly id: number;
  readonly name: string;
}

/** Who has which record open. Entries expire unless pages keep sending heartbeats. */
export interface Presence {
  /** Records a heartbeat and returns who else has the record open: each person once, those typing first. */
  beat(user: Person, beat: Beat): Promise<Present[]>;
}

interface OpenPage {
  readonly user: Person;
  /** Resource and id. */
  readonly record: string;
  readonly isTyping: boolean;
  /** By the steady clock. */
  readonly heardAt: number;
}

/** Presence in the memory of a single process. */
export class PresenceHere implements Presence {
  readonly #now: () => number;
  /** By person and page, most recent last. */
  readonly #pages = new Map<string, OpenPage>();

  /** `clock` is a test's, in milliseconds. */
  constructor(clock?: () => number) {
    this.#now = steadyClock(clock);
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
