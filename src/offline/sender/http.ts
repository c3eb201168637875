import type { Answer } from '../../domain/outbox/classify.ts';
import { retryAfter } from '../../domain/outbox/backoff.ts';
import type { Environment } from '../storage/environment.ts';
import { patienceOf } from './patience.ts';

/** The header that says which protocol of staging is spoken. */
export const TUS = 'Tus-Resumable';

/** How long a read may take, in milliseconds. */
const READ_TIMEOUT = 20_000;

/** An answer with what it tells of a file that travels in pieces. */
export interface HttpAnswer extends Answer {
  /** There where the server's staging has answered; `offset` is how many bytes of the file it holds. */
  readonly staging?: { readonly offset?: number };
}

/**
 * One request and its answer. Undefined when no whole answer came within `timeout` milliseconds: a cut, a stall, no link.
 * A redirect is never followed: it would turn a login page into a success.
 */
export async function exchange(
  environment: Environment,
  path: string,
  init: RequestInit,
  timeout: number,
): Promise<HttpAnswer | undefined> {
  const patience = patienceOf(environment, timeout);
  const whole = async () =>
    answerOf(environment, await request(environment, path, { ...init, signal: patience.signal }));
  try {
    return await patience.bound(whole());
  } catch {
    return undefined;
  } finally {
    patience.end();
  }
}

/** The head of an answer. Rejects where none comes. */
export async function request({ fetch, origin }: Environment, path: string, init: RequestInit): Promise<Response> {
  const always = { redirect: 'manual', credentials: 'same-origin', cache: 'no-store' } as const;
  return fetch(new URL(path, origin).href, { ...init, ...always });
}

/** An answer that has come to its end. Rejects where it is cut. */
export async function answerOf({ now }: Pick<Environment, 'now'>, response: Response): Promise<HttpAnswer> {
  const text = await response.text();
  const { headers, status } = response;
  const json = /[/+]json\b/i.test(headers.get('Content-Type') ?? '');
  const wait = retryAfter(headers.get('Retry-After'), serverTime(response) ?? now());
  return {
    status,
    redirected: response.redirected || response.type === 'opaqueredirect' || isRedirect(status),
    json,
    body: json ? parsed(text) : undefined,
    ...(wait === undefined ? {} : { retryAfter: wait }),
    ...stagingOf(headers),
  };
}

function stagingOf(headers: Headers): Pick<HttpAnswer, 'staging'> {
  if (!headers.has(TUS)) return {};
  const offset = headers.get('Upload-Offset') ?? '';
  return { staging: /^\d+$/.test(offset) ? { offset: Number(offset) } : {} };
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

/** What a text of JSON holds; undefined for anything else. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304;
}
