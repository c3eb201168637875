import { type AxiosResponse, create } from 'axios';
import { NEEDS_SIGN_IN } from '../domain/messages.ts';
import { sourceOf } from '../domain/outbox/classify.ts';
import { SIGN_IN_AGAIN } from '../domain/protocol/second-factor.ts';
import type { FieldErrors } from '../domain/validate.ts';
import { noteAnswer } from '../stores/connection.ts';
import { endSession, useSession } from '../stores/session.ts';
import { renewCookie } from '../offline/sender/anti-forgery.ts';
import { WAITING_HEADER } from '../domain/protocol/sessions.ts';
import { useServerAbilities } from '../stores/server-abilities.ts';
import { ApiFailure, type FailureKind } from './failure.ts';
import { liveQueueState } from './live.ts';
import { pageCookie } from './page-parts.ts';
import { msg, say, t } from '../language/t.ts';

/** A good answer. `body` is undefined when the server said that nothing changed (304). */
export interface Answer {
  readonly body: unknown;
  readonly etag?: string;
}

const NO_ANSWER = msg('Can’t reach the server.');

// axios echoes the XSRF-TOKEN cookie, URL-decoded, in X-XSRF-TOKEN: its own defaults. No time-out: on a slow link an answer is
// worth waiting for, and the device's copy is on screen meanwhile.
const http = create({
  headers: { Accept: 'application/json', 'X-Requested-With': 'XMLHttpRequest' },
  validateStatus: () => true,
});

/** Reads. `etag` is that of the copy at hand: an unchanged value answers without a body. Throws ApiFailure. */
export async function get(path: string, etag?: string): Promise<Answer> {
  return request({ method: 'get', url: path, ...(etag && { headers: { 'If-None-Match': etag } }) });
}

/** Sends an object as JSON, or a form as multipart. Throws ApiFailure. */
export async function post(path: string, body?: FormData | object): Promise<Answer> {
  return request({ method: 'post', url: path, data: body });
}

interface Request {
  readonly method: 'get' | 'post';
  readonly url: string;
  readonly data?: FormData | object | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

async function request(wanted: Request): Promise<Answer> {
  const { token } = useSession.getState();
  const first = await send(wanted, token);
  // The anti-forgery cookie is stale after two idle hours, and a 419 brings no new one: any GET does.
  if (first.status !== 419) return judge(first, token);
  await renewCookie({ get: (url) => send({ method: 'get', url }, token), read: pageCookie });
  return judge(await send(wanted, token), token);
}

async function send({ headers, ...wanted }: Request, token: string | undefined): Promise<AxiosResponse<unknown>> {
  try {
    return await http.request({
      ...wanted,
      headers: { ...headers, ...waitingHere(), ...(token && { Authorization: `Bearer ${token}` }) },
    });
  } catch {
    noteAnswer(false);
    throw new ApiFailure('unreachable', say(NO_ANSWER));
  }
}

/** Tells a server that lists sessions how many changes wait on this device, where that is known. */
function waitingHere(): Record<string, string> {
  const { waiting } = liveQueueState.value() ?? {};
  return waiting === undefined || !useServerAbilities.getState().people ? {} : { [WAITING_HEADER]: String(waiting) };
}

/** What an answer means. Status 200 alone is no success: a portal's page has it too. */
function judge({ status, headers, data }: AxiosResponse<unknown>, token: string | undefined): Answer {
  const etag = textOf(headers['etag']);
  const source = sourceOf({ status, redirected: false, json: String(headers['content-type']).includes('json') });
  // A back end that lacks a call may say so in HTML; a portal does not answer 404.
  const ours = source === 'server' || status === 404;
  noteAnswer(ours, source === 'portal');
  if (source === 'gateway') throw new ApiFailure('unreachable', messageIn(data) ?? say(NO_ANSWER));
  if (!ours) throw new ApiFailure('unreachable', source === 'portal' ? `${say(NEEDS_SIGN_IN)}.` : say(NO_ANSWER));
  if (status === 304) return { body: undefined, ...(etag && { etag }) };
  if (status >= 200 && status < 300) return { body: data, ...(etag && { etag }) };
  if (status === 401) endSession(token);
  throw failureOf(status, data);
}

function failureOf(status: number, data: unknown): ApiFailure {
  const { errors, code } = (data ?? {}) as { errors?: FieldErrors; code?: string };
  const words = messageIn(data) ?? t('The server answered with an error ({status}).', { status });
  return new ApiFailure(code === SIGN_IN_AGAIN ? code : kindOf(status, errors), words, errors);
}

function kindOf(status: number, errors: FieldErrors | undefined): FailureKind {
  if (status === 401) return 'signed-out';
  if (status === 404) return 'missing';
  return status === 422 && errors !== undefined ? 'invalid' : 'refused';
}

function messageIn(data: unknown): string | undefined {
  const message = textOf((data as { message?: unknown } | null)?.message);
  return message === undefined ? undefined : say(message);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
