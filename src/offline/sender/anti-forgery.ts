import type { Capabilities } from '../../domain/protocol/capabilities.ts';
import { type Answer, isServers } from '../../domain/outbox/classify.ts';
import type { Environment } from '../storage/environment.ts';
import { ask } from './http.ts';

/** All that is known about the anti-forgery cookie on the device is in this file. */

export const ANTI_FORGERY_COOKIE = 'XSRF-TOKEN';

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
export async function cookieFor(environment: Environment, token: string): Promise<string | undefined> {
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
 * A fresh cookie after the server has refused `old`. Undefined where a request with it would only be refused again: this
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
