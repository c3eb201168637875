/** In milliseconds: long enough to find a telephone and open an app on it. */
export const LIFETIME = 5 * 60_000;
/** This bounds the memory under attack; the oldest give way. */
const MOST = 10_000;
const TICKET_BYTES = 24;

/** A random name that nobody guesses. */
export function newTicket(randomBytes: World['randomBytes']): string {
  return randomBytes(TICKET_BYTES).toString('base64url');
}

/** What something that takes two requests remembers from the first to the second. */
export interface Tickets<T> {
  /** Keeps something for a few minutes; returns the random name that it is taken by. */
  give(kept: T): Promise<string>;
  /** What is kept under this name, which goes on being kept. Undefined once it was taken, or is too old. */
  look(ticket: string): Promise<T | undefined>;
  /** What is kept under this name, which is forgotten with that: it works once. */
  take(ticket: string): Promise<T | undefined>;
}

/** What tickets need from outside. */
interface World {
  readonly randomBytes: (count: number) => Buffer;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Tickets that live for five minutes and work once, in the memory of this process. */
export function ticketsHere<T>({ randomBytes, now }: World): Tickets<T> {
  /** The oldest first. */
  const given = new Map<string, { readonly kept: T; readonly at: number }>();
  const forgetOld = () => {
    for (const [ticket, { at }] of given) {
      if (given.size < MOST && now() - at < LIFETIME) return;
      given.delete(ticket);
    }
  };
  const look = (ticket: string) => {
    const found = given.get(ticket);
    return found !== undefined && now() - found.at < LIFETIME ? found.kept : undefined;
  };
  return {
    async give(kept) {
      forgetOld();
      const ticket = newTicket(randomBytes);
      given.set(ticket, { kept, at: now() });
      return ticket;
    },
    look: async (ticket) => look(ticket),
    async take(ticket) {
      const kept = look(ticket);
      given.delete(ticket);
      return kept;
    },
  };
}
