import type { Answer } from '../../domain/outbox/classify.ts';
import { retryAfter } from '../../domain/outbox/backoff.ts';
import type { Environment } from '../storage/environment.ts';
import { patienceOf } from './patience.ts';

/** The header with the version of the tus protocol. */
export const TUS = 'Tus-Resumable';

/** Time-out of a read. Milliseconds. */
const READ_TIMEOUT = 20_000;

/** An answer, with what it says about a staged file. */
export interface HttpAnswer extends Answer {
  /** Present if the server's staging has answered; `offset` is the number of bytes it holds. */
  readonly staging?: { readonly offset?: number };
}

/**
 * Sends one request. Returns undefined if no complete answer arrives within `timeout` milliseconds: a cut, a stall or no link.
 * Never follows a redirect: that would turn a login page into a success.
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

/** Returns the head of the answer. Rejects if none arrives. */
export async function request({ fetch, origin }: Environment, path: string, init: RequestInit): Promise<Response> {
  const always = { redirect: 'manual', credentials: 'same-origin', cache: 'no-store' } as const;
  return fetch(new URL(path, origin).href, { ...init, ...always });
}

/** Reads an answer to its end. Rejects if it is cut. */
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

/** Sends a GET for JSON, as the administrator of the session if there is one. */
export async function ask(
  environment: Environment,
  path: string,
  token: string | undefined,
): Promise<Answer | undefined> {
  return exchange(environment, path, { method: 'GET', headers: headersFor(token) }, READ_TIMEOUT);
}

/** The headers of every request. A stock back end answers errors in JSON only to requests with these. */
export function headersFor(token: string | undefined): Record<string, string> {
  return {
    Accept: 'application/json',
    'X-Requested-With': 'XMLHttpRequest',
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  };
}

/** The server's time. A Retry-After date is in that time: a tablet's clock may be days off. */
function serverTime(response: Response): number | undefined {
  const time = Date.parse(response.headers.get('Date') ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** Parses JSON. Returns undefined for anything else. */
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
