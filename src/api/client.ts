import { type AxiosResponse, create } from 'axios';
import { NEEDS_SIGN_IN } from '../domain/messages.ts';
import { isStrange, sourceOf } from '../domain/outbox/classify.ts';
import { SIGN_IN_AGAIN } from '../domain/protocol/second-factor.ts';
import type { FieldErrors } from '../domain/validate.ts';
import { noteAnswer } from '../stores/connection.ts';
import { endSession, useSession } from '../stores/session.ts';
import { renewCookie } from '../offline/sender/anti-forgery.ts';
import { DEVICE_HEADER } from '../domain/protocol/devices.ts';
import { WAITING_HEADER } from '../domain/protocol/sessions.ts';
import { useServerAbilities } from '../stores/server-abilities.ts';
import { dueReport, noteReported } from './device-report.ts';
import { ApiFailure, type FailureKind } from './failure.ts';
import { liveQueueState } from './live.ts';
import { pageCookie } from './page-parts.ts';
import { msg, say, t } from '../language/t.ts';

/** A successful answer. `body` is undefined if the value is unchanged (304). */
export interface Answer {
  readonly body: unknown;
  readonly etag?: string;
}

const NO_ANSWER = msg('Can’t reach the server.');

// By default axios echoes the XSRF-TOKEN cookie, URL-decoded, in X-XSRF-TOKEN. No time-out: on a slow link an answer is worth
// waiting for, and the screen shows the device's copy meanwhile.
const http = create({
  headers: { Accept: 'application/json', 'X-Requested-With': 'XMLHttpRequest' },
  validateStatus: () => true,
});

/** Reads a value. `etag` is the copy's; an unchanged value returns no body. `signal` gives up. Throws ApiFailure. */
export async function get(path: string, etag?: string, signal?: AbortSignal): Promise<Answer> {
  const headers = etag && { headers: { 'If-None-Match': etag } };
  return request({ method: 'get', url: path, ...headers, ...(signal && { signal }) });
}

/** Posts an object as JSON or a form as multipart, with an idempotency key if there is one. Throws ApiFailure. */
export async function post(path: string, body?: FormData | object, key?: string): Promise<Answer> {
  return request({ method: 'post', url: path, data: body, ...(key && { headers: { 'Idempotency-Key': key } }) });
}

interface Request {
  readonly method: 'get' | 'post';
  readonly url: string;
  readonly data?: FormData | object | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

async function request(wanted: Request): Promise<Answer> {
  const { token } = useSession.getState();
  const first = await send(wanted, token);
  // A stock back end's anti-forgery cookie expires after two idle hours. A 419 does not renew it, but any GET does.
  if (first.status !== 419) return judge(first, token);
  await renewCookie({ get: (url) => send({ method: 'get', url }, token), read: pageCookie });
  return judge(await send(wanted, token), token);
}

async function send({ headers, ...wanted }: Request, token: string | undefined): Promise<AxiosResponse<unknown>> {
  const state = token === undefined ? {} : stateHere();
  try {
    const response = await http.request({
      ...wanted,
      headers: { ...headers, ...state, ...(token && { Authorization: `Bearer ${token}` }) },
    });
    const reported = state[DEVICE_HEADER];
    if (reported !== undefined && response.status < 400) noteReported(reported, Number(state[WAITING_HEADER]));
    return response;
  } catch {
    noteAnswer(false);
    throw new ApiFailure('unreachable', say(NO_ANSWER));
  }
}

/** The headers that tell a server with session lists the number of pending changes here, if known, and the state of the device. */
function stateHere(): Record<string, string> {
  const { waiting } = liveQueueState.value() ?? {};
  if (waiting === undefined || !useServerAbilities.getState().people) return {};
  const report = dueReport(waiting);
  return { [WAITING_HEADER]: String(waiting), ...(report !== undefined && { [DEVICE_HEADER]: report }) };
}

/** Returns a successful answer or throws. Status 200 alone is not success, because a captive portal's page has it too. */
function judge({ status, headers, data }: AxiosResponse<unknown>, token: string | undefined): Answer {
  const etag = textOf(headers['etag']);
  const source = sourceOf({ status, redirected: false, json: String(headers['content-type']).includes('json') });
  // Only the server's own JSON says that something is missing: a proxy's 404 means that the app behind it is away.
  const ours = source === 'server' && !(status >= 400 && isStrange(data));
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
