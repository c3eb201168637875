import { ANTI_FORGERY_COOKIE } from '../../domain/protocol/anti-forgery.ts';
import type { Capabilities } from '../../domain/protocol/capabilities.ts';
import { type Answer, isServers } from '../../domain/outbox/classify.ts';
import type { Environment } from '../storage/environment.ts';
import { ask } from './http.ts';

/** All that is known about the anti-forgery cookie on the device is in this file. */

/** What brings a fresh cookie (any GET, also one that is answered with 401), and who can read it. */
interface Renewal {
  readonly get: (path: string) => Promise<unknown>;
  readonly read: (cookie: string) => Promise<string | undefined>;
}

/** Has the server set a fresh anti-forgery cookie. Answers its raw value, undefined where none can be seen. */
export async function renewCookie({ get, read }: Renewal): Promise<string | undefined> {
  await get('/api/user');
  return read(ANTI_FORGERY_COOKIE);
}

/** Servers that set no such cookie are asked for one only once. */
const cookieless = new WeakSet<Environment>();

/** The cookie for a request: the one at hand, or a fresh one. Undefined where the server sets none. */
async function cookieFor(environment: Environment, token: string): Promise<string | undefined> {
  const cookie = await environment.cookie(ANTI_FORGERY_COOKIE);
  if (cookie !== undefined || cookieless.has(environment)) return cookie;
  let answer: Answer | undefined;
  const get = async (path: string) => {
    answer = await ask(environment, path, token);
  };
  const brought = await renewCookie({ get, read: environment.cookie });
  // a server under maintenance does not tell whether it sets one
  if (brought === undefined && isServers(answer) && answer.status < 500) cookieless.add(environment);
  return brought;
}

/** The cookie that a worker sent, and sees again after the server has refused it and set another one. */
const refused = new WeakMap<Environment, string | undefined>();

/**
 * A fresh cookie after the server has refused `old`, the one that was sent. Undefined where a request with it would only be refused again: this
 * worker does not see what the server sets.
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
 * True for a worker that sees no cookie it could send with: Firefox's sees none after a restart, while its pages do. Sent bare,
 * each body would be refused with all its megabytes; a page has to send.
 */
export async function seesNoCookie(environment: Environment, server: Capabilities, token: string): Promise<boolean> {
  if (environment.handOver === undefined) return false;
  const cookie = await environment.cookie(ANTI_FORGERY_COOKIE);
  if (refused.has(environment) && refused.get(environment) === cookie) return true;
  // this repository's server always sets one; of another it is not known
  if (cookie !== undefined || server.server !== 'voltdesk') return false;
  return (await cookieFor(environment, token)) === undefined;
}

export const ANTI_FORGERY_EXPIRED = 419;
/** For how long after its beginning a request is repeated at once with a new cookie, in milliseconds. */
const REPEATED_WITHIN = 10_000;

/**
 * Writes with the anti-forgery cookie, `ahead` where it was read before. An expired one is renewed by a GET, once, and the request
 * repeated soon after: the server did not look at the first one.
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
  // on a slow link, or after the device slept: what the change was compared with may be another by now, so it gets a turn of its own
  if (renewed === undefined || environment.now() - began > REPEATED_WITHIN) return answer;
  return write(headerOf(renewed.cookie), renewed.cookie);
}

/** The header holds the cookie's value decoded; a stock back end refuses it otherwise. */
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
