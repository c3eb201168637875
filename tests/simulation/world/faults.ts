import type { ServerName } from '../servers/server.ts';
import type { Random } from './random.ts';

/** What the device must not believe: an answer that is not the server's, or a clock that has jumped. Drawn separately. */
const FOREIGN = [
  /** Executed. Something in between answers with a page. */
  'page 403 after',
  'page 404 after',
  'page 413 after',
  'page 503 after',
  /** Executed. Browser or proxy repeats the request, and only the repeat is answered. */
  'repeat 401',
  'repeat 425',
  'repeat 429',
  /** A page that orders a wait of a week. */
  'page with a long wait',
  /** The clock is set while the request is in flight, which is then cut and executed some seconds later. */
  'clock jumps',
] as const;

/** The faults of a single request. */
export const FAULTS = [
  /** Nobody listens: fails at once. */
  'unreachable',
  /** Lost on the way. The connection is cut some seconds later. */
  'request lost',
  /** The connection is cut while the body is sent. The server executes nothing. */
  'request cut',
  /** Executed. The connection is cut before the answer. */
  'answer lost',
  /** Executed. The answer's body is cut in the middle. */
  'answer cut',
  /** Never arrives, and nothing is cut: only a time-out ends it. */
  'stalled before',
  /** Executed, and the answer never arrives. */
  'stalled after',
  /** Executed. The answer begins, and its rest never arrives. */
  'stalled within',
  /** The browser itself repeats the request. Script sees the second answer. */
  'delivered twice',
  /** The sender gets no answer. The request reaches the server some time later. */
  'delivered late',
  /** Executed. 200 with an empty body. */
  'empty answer',
  /** A captive portal: 200 and a page. */
  'portal',
  /** A redirect to a login page. */
  'redirect',
  /** A proxy's page: 200 and a login form, for requests that it passed on. */
  'page after',
  'slow',
  '400',
  '401',
  '403',
  '408',
  '409 in flight',
  '412',
  '413',
  '419',
  '422',
  '425',
  '429 seconds',
  '429 date',
  '500 before',
  '500 after',
  '502 after',
  '503',
  '503 page',
  '504 after',
  ...FOREIGN,
] as const;

export type Fault = (typeof FAULTS)[number];

/** Faults that require a server with keys or versions. */
const OWN_ONLY: readonly Fault[] = ['409 in flight', '412', 'delivered late'];
/** Faults of answers to changes, not to reads. */
const CHANGES_ONLY: readonly Fault[] = [
  'delivered twice',
  'delivered late',
  '409 in flight',
  '412',
  '413',
  '400',
  '403',
  '422',
  '419',
];

/** Definite refusals. Only the server itself gives them, and never for a change that it has executed. */
export const REFUSALS: readonly Fault[] = ['400', '403', '413', '422', '412'];

/** The faults of `FOREIGN` that are possible for a read. */
const FOREIGN_READS: readonly Fault[] = ['page with a long wait', 'page 404 after'];

/** Draws a foreign fault or none. */
export function drawForeignFault(random: Random, method: string, rate: number): Fault | undefined {
  if (!random.chance(rate / 3)) return undefined;
  return method === 'POST' ? random.pick(FOREIGN) : random.pick(FOREIGN_READS);
}

/** The faults that are possible for such a request. */
function possibleFaults(server: ServerName, method: string): readonly Fault[] {
  return FAULTS.filter(
    (fault) =>
      !(FOREIGN as readonly Fault[]).includes(fault) &&
      (server !== 'contract-only' || !OWN_ONLY.includes(fault)) &&
      (method === 'POST' || !CHANGES_ONLY.includes(fault)),
  );
}

/**
 * Faults after which the server has executed the request and the sender cannot know. Half of a change's faults are drawn
 * from these.
 */
const AFTER: readonly Fault[] = [
  'answer lost',
  'answer cut',
  'stalled after',
  'stalled within',
  'delivered twice',
  'delivered late',
  'empty answer',
  'page after',
  '500 after',
  '502 after',
  '504 after',
];

/** Draws a fault or none. Changes get twice as many as reads. */
export function drawFault(random: Random, server: ServerName, method: string, rate: number): Fault | undefined {
  const faults = possibleFaults(server, method);
  if (method !== 'POST') return random.chance(rate) ? random.pick(faults) : undefined;
  if (!random.chance(Math.min(0.7, rate * 2))) return undefined;
  return random.pick(random.chance(0.5) ? faults.filter((fault) => AFTER.includes(fault)) : faults);
}
