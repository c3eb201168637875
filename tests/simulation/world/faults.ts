import type { ServerName } from '../servers/server.ts';
import type { Random } from './random.ts';

/** What can go wrong with one request. */
export const FAULTS = [
  /** Nobody listens: fails at once. */
  'unreachable',
  /** Lost on the way; the connection is cut some seconds later. */
  'request lost',
  /** The connection is cut while the body goes out: the server carries nothing out. */
  'request cut',
  /** Carried out; the connection is cut before the answer. */
  'answer lost',
  /** Carried out; the answer's body is cut in the middle. */
  'answer cut',
  /** Never arrives, and nothing is cut: only a time-out ends it. */
  'stalled before',
  /** Carried out, and the answer never comes. */
  'stalled after',
  /** Carried out; the answer begins, and the rest of it never comes. */
  'stalled within',
  /** The browser repeats the request by itself; the second answer is the one that is seen. */
  'delivered twice',
  /** The sender hears nothing; the server gets it a while later. */
  'delivered late',
  /** Carried out; 200 with no body. */
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
] as const;

export type Fault = (typeof FAULTS)[number];

/** Faults that only a server which knows keys or versions can be said to make. */
const OWN_ONLY: readonly Fault[] = ['409 in flight', '412', 'delivered late'];
/** Faults that an answer to a change has, and a read's does not. */
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

/** Definite refusals: only the server itself gives them, and never of what it has carried out. */
export const REFUSALS: readonly Fault[] = ['400', '403', '413', '422', '412'];

/** Faults that could happen to such a request. */
function possibleFaults(server: ServerName, method: string): readonly Fault[] {
  return FAULTS.filter(
    (fault) =>
      (server !== 'contract-only' || !OWN_ONLY.includes(fault)) && (method === 'POST' || !CHANGES_ONLY.includes(fault)),
  );
}

/** Faults after which the server has done what the sender cannot know: half of all that befalls a change. */
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

/** Draws a fault, or none. Changes meet twice as many as reads. */
export function drawFault(random: Random, server: ServerName, method: string, rate: number): Fault | undefined {
  const faults = possibleFaults(server, method);
  if (method !== 'POST') return random.chance(rate) ? random.pick(faults) : undefined;
  if (!random.chance(Math.min(0.7, rate * 2))) return undefined;
  return random.pick(random.chance(0.5) ? faults.filter((fault) => AFTER.includes(fault)) : faults);
}
