import { ANTI_FORGERY_COOKIE } from '../../domain/protocol/anti-forgery.ts';
import type { Capabilities } from '../../domain/protocol/capabilities.ts';
import { type Answer, isServers } from '../../domain/outbox/classify.ts';
import type { Environment } from '../storage/environment.ts';
import { ask } from './http.ts';

/** Everything the device knows about the anti-forgery cookie is in this file. */

/** How to get a fresh cookie (any GET, even one answered with 401), and how to read it. */
interface Renewal {
  readonly get: (path: string) => Promise<unknown>;
  readonly read: (cookie: string) => Promise<string | undefined>;
}

/** Has the server set a fresh anti-forgery cookie. Returns its raw value, or undefined if none is visible. */
export async function renewCookie({ get, read }: Renewal): Promise<string | undefined> {
  await get('/api/user');
  return read(ANTI_FORGERY_COOKIE);
}

/** Servers that set no such cookie are asked only once. */
const cookieless = new WeakSet<Environment>();

/** The cookie for a request: the current one, or a fresh one. Undefined if the server sets none. */
async function cookieFor(environment: Environment, token: string): Promise<string | undefined> {
  const cookie = await environment.cookie(ANTI_FORGERY_COOKIE);
  if (cookie !== undefined || cookieless.has(environment)) return cookie;
  let answer: Answer | undefined;
  const get = async (path: string) => {
    answer = await ask(environment, path, token);
  };
  const brought = await renewCookie({ get, read: environment.cookie });
  // a 503 does not reveal whether the server sets one
  if (brought === undefined && isServers(answer) && answer.status < 500) cookieless.add(environment);
  return brought;
}

/** The refused cookie that a worker still sees although the server has set another one. */
const refused = new WeakMap<Environment, string | undefined>();

/**
 * Gets a fresh cookie after the server has refused `old`. Returns undefined if this worker cannot see what the server sets:
 * another request would only be refused again.
 */
export async function cookieAfter(
  environment: Environment,
  token: string,
  old: string | undefined,
): Promise<{ readonly cookie: string | undefined } | undefined> {
  const cookie = await renewCookie({ get: (path) => ask(environment, path, token), read: environment.cookie });
  if (environment.handOver === undefined || cookie !== old) return { cookie };
  refused.set(environment, old);
  return undefined;
}

/**
 * True if this worker sees no cookie to send. A restarted Firefox worker sees none although its pages do. Without the cookie,
 * the server would refuse each body after receiving all its megabytes, so a page has to send.
 */
export async function seesNoCookie(environment: Environment, server: Capabilities, token: string): Promise<boolean> {
  if (environment.handOver === undefined) return false;
  const cookie = await environment.cookie(ANTI_FORGERY_COOKIE);
  if (refused.has(environment) && refused.get(environment) === cookie) return true;
  // this repository's server always sets one; another server may not
  if (cookie !== undefined || server.server !== 'voltdesk') return false;
  return (await cookieFor(environment, token)) === undefined;
}

export const ANTI_FORGERY_EXPIRED = 419;
/** A request younger than this is repeated at once with a new cookie. Milliseconds. */
const REPEATED_WITHIN = 10_000;

/**
 * Sends a write with the anti-forgery cookie, or with `ahead` if it was read before. Renews an expired cookie once, by a GET,
 * and repeats the request: the server rejects an expired cookie before it reads the change.
 */
export async function writeGuarded<A extends Pick<Answer, 'status'>>(
  environment: Environment,
  token: string,
  ahead: string | undefined,
  write: (headers: Readonly<Record<string, string>>, cookie: string | undefined) => Promise<A | undefined>,
): Promise<A | undefined> {
  const cookie = ahead ?? (await cookieFor(environment, token));
  const began = environment.now();
  const answer = await write(headerOf(cookie), cookie);
  if (answer?.status !== ANTI_FORGERY_EXPIRED) return answer;
  const renewed = await cookieAfter(environment, token, cookie);
  // after a slow link or a sleeping device, the comparison behind this change may be out of date: it needs a new attempt
  if (renewed === undefined || environment.now() - began > REPEATED_WITHIN) return answer;
  return write(headerOf(renewed.cookie), renewed.cookie);
}

/** The header holds the decoded cookie; a stock back end refuses the raw one. */
function headerOf(cookie: string | undefined): Record<string, string> {
  return cookie === undefined ? {} : { 'X-XSRF-TOKEN': decoded(cookie) };
}

function decoded(cookie: string): string {
  try {
    return decodeURIComponent(cookie);
  } catch {
    return cookie;
  }
}
