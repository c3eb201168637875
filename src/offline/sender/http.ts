import type { Answer } from '../../domain/outbox/classify.ts';
import { retryAfter } from '../../domain/outbox/backoff.ts';
import type { Environment } from '../storage/environment.ts';

/** How long a read may take, in milliseconds. */
const READ_TIMEOUT = 20_000;

/**
 * One request and its answer. Undefined when no whole answer came within `timeout` milliseconds: a cut, a stall, no link.
 * A redirect is never followed: it would turn a login page into a success.
 */
export async function exchange(
  environment: Environment,
  path: string,
  init: RequestInit,
  timeout: number,
): Promise<Answer | undefined> {
  const { fetch, after, now, origin } = environment;
  const controller = new AbortController();
  const stopWaiting = after(timeout, () => controller.abort());
  try {
    const response = await fetch(new URL(path, origin).href, {
      ...init,
      redirect: 'manual',
      credentials: 'same-origin',
      cache: 'no-store',
      signal: controller.signal,
    });
    const text = await response.text();
    const json = /[/+]json\b/i.test(response.headers.get('Content-Type') ?? '');
    const wait = retryAfter(response.headers.get('Retry-After'), serverTime(response) ?? now());
    return {
      status: response.status,
      redirected: response.redirected || response.type === 'opaqueredirect' || isRedirect(response.status),
      json,
      body: json ? parsed(text) : undefined,
      ...(wait === undefined ? {} : { retryAfter: wait }),
    };
  } catch {
    return undefined;
  } finally {
    stopWaiting();
  }
}

/** Asks for JSON, as the session's administrator where there is one. */
export async function ask(
  environment: Environment,
  path: string,
  token: string | undefined,
): Promise<Answer | undefined> {
  return exchange(environment, path, { method: 'GET', headers: headersFor(token) }, READ_TIMEOUT);
}

/** The headers of every request. A stock back end answers JSON errors only to those that ask like this. */
export function headersFor(token: string | undefined): Record<string, string> {
  return {
    Accept: 'application/json',
    'X-Requested-With': 'XMLHttpRequest',
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  };
}

/** A date to wait for is the server's: by a tablet's clock that is two days slow it would be two days away. */
function serverTime(response: Response): number | undefined {
  const time = Date.parse(response.headers.get('Date') ?? '');
  return Number.isNaN(time) ? undefined : time;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304;
}
