import { steadyClock } from './steady-clock.ts';

/** Long enough to fetch a phone and open an app. Milliseconds. */
export const LIFETIME = 5 * 60_000;
/** Bounds memory under attack. The oldest tickets are dropped. */
const MOST = 10_000;
const TICKET_BYTES = 24;

/** An unguessable random name. */
export function newTicket(randomBytes: World['randomBytes']): string {
  return randomBytes(TICKET_BYTES).toString('base64url');
}

/** Remembers state between two requests that belong together. */
export interface Tickets<T> {
  /** Stores a value for a few minutes and returns its ticket. */
  give(kept: T): Promise<string>;
  /** Returns the value of a ticket and keeps it. Undefined if the ticket is used or expired. */
  look(ticket: string): Promise<T | undefined>;
  /** Returns the value of a ticket and forgets it: a ticket works once. */
  take(ticket: string): Promise<T | undefined>;
}

/** Dependencies of tickets. */
interface World {
  readonly randomBytes: (count: number) => Buffer;
  /** A test's clock, in milliseconds. */
  readonly now: (() => number) | undefined;
}

/** Single-use tickets with a lifetime of five minutes, in the memory of this process. */
export function ticketsHere<T>({ randomBytes, now: clock }: World): Tickets<T> {
  const now = steadyClock(clock);
  /** Oldest first. */
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
