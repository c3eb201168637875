import { UNSETTLED } from '../protocol/unsettled.ts';
import { FOREIGN_WAIT } from './backoff.ts';
import { OWED_FIRST } from '../protocol/sessions.ts';
import { ROLE_TOO_LOW } from '../roles.ts';
import type { FieldErrors } from '../validate.ts';
import type { Operation, Outcome, Reason } from './vocabulary.ts';

/** An answer as received. */
export interface Answer {
  readonly status: number;
  /** The answer was a redirect, which was not followed. */
  readonly redirected: boolean;
  /** The headers declare a JSON body. */
  readonly json: boolean;
  /** The parsed body. Undefined if it was empty, cut off or not JSON. */
  readonly body: unknown;
  /** Milliseconds, from Retry-After. */
  readonly retryAfter?: number;
}

/** The known fields of a JSON answer. */
interface Told {
  readonly message?: string;
  readonly code?: string;
  readonly errors?: FieldErrors;
  readonly id?: number;
  readonly version?: string;
  readonly duplicates?: readonly number[];
  readonly images?: readonly number[];
}

/** Statuses that ask to wait, whoever answers. */
const WAITS: ReadonlySet<number> = new Set([425, 429, 503]);

const NO_ANSWER: Outcome = { kind: 'uncertain', message: 'No answer came.' };
/** Something else answered, or the answer made no sense. */
export const FOREIGN: Outcome = { kind: 'unreachable', message: 'Something other than the server answered.' };
const PORTAL: Outcome = { ...FOREIGN, portal: true };

/** The parts of an answer that identify its source. */
type Envelope = Pick<Answer, 'status' | 'redirected' | 'json'>;

/**
 * Identifies the source of an answer: this server, a gateway without an answer from it, a network's sign-in page, or
 * something else in between. All code that asks "is this from our server?" uses this. A page with a 404 may come from a
 * back end that lacks the call.
 */
export function sourceOf({ status, redirected, json }: Envelope): 'server' | 'gateway' | 'portal' | 'other' {
  const isPage = !json && status >= 200 && status < 400 && status !== NOT_MODIFIED;
  if (redirected || isPage || status === NETWORK_SIGN_IN) return 'portal';
  if (isGatewayError(status)) return 'gateway';
  return json || status === NOT_MODIFIED ? 'server' : 'other';
}

/** True if the answer came from this server, with any status. */
export function isServers(answer: Answer | undefined): answer is Answer {
  return answer !== undefined && sourceOf(answer) === 'server' && !(answer.status >= 400 && isStrange(answer.body));
}

/** What this server's confirmations and errors hold. Each has a message. */
const TERMS = ['message', 'errors', 'code', 'id'];

/**
 * True for the body of a confirmation or an error that says something, and nothing in this server's terms: a portal or a proxy
 * that speaks JSON has written it.
 */
export function isStrange(body: unknown): boolean {
  const said = Object.keys(body ?? {});
  return said.length > 0 && !TERMS.some((term) => said.includes(term));
}

const NOT_MODIFIED = 304;
const NETWORK_SIGN_IN = 511;

/**
 * Classifies an answer to a change. `undefined` means no answer (cut off, time-out, no link). Uses status, content type and
 * codes, never message texts.
 */
export function classify(op: Operation, answer: Answer | undefined): Outcome {
  if (answer === undefined) return NO_ANSWER;
  if (sourceOf(answer) === 'portal') return PORTAL;
  const told = toldBy(answer.body);
  if (answer.status >= 500 && answer.status !== 503) return serverError(answer.status, told);
  if (!answer.json || isStrange(answer.body)) {
    return answer.status === 408 ? serverError(408, told) : busyOrForeign(answer);
  }
  if (answer.status >= 200 && answer.status < 300) return answer.body === undefined ? NO_ANSWER : success(told);
  return clientError(op, answer, told);
}

/**
 * True for a page, or someone else's JSON, with a 4xx instead of an answer. Either a proxy or firewall has refused this one request, or a captive
 * portal answers all requests like this. To distinguish them, check whether the server answers another request at the same
 * time.
 */
export function isProxyRefusal(answer: Answer | undefined): answer is Answer {
  if (answer === undefined || (answer.json && !isStrange(answer.body)) || answer.redirected) return false;
  return answer.status >= 400 && answer.status < 500 && !WAITS.has(answer.status) && answer.status !== 408;
}

/** The reason for a change that a proxy or firewall refused with this status. */
export function proxyRefused(status: number): Reason {
  const between = 'A proxy or firewall between this device and the server';
  return status === 413
    ? { code: 'too-large', status, message: `${between} doesn’t accept a request this large.` }
    : { code: 'blocked', status, message: `${between} has blocked this change (${status}).` };
}

/** True if a gateway answered instead of the server, whose own state is then unknown. */
export function isGatewayError(status: number | undefined): boolean {
  return status === 502 || status === 504;
}

function success(told: Told): Outcome {
  return {
    kind: 'done',
    message: told.message ?? 'Done.',
    ...(told.id === undefined ? {} : { serverId: told.id }),
    ...(told.version === undefined ? {} : { version: told.version }),
    ...(told.duplicates === undefined ? {} : { duplicates: told.duplicates }),
    ...(told.images === undefined ? {} : { images: told.images }),
  };
}

function clientError(op: Operation, answer: Answer, told: Told): Outcome {
  const message = told.message ?? '';
  switch (answer.status) {
    case 401:
      return { kind: 'signed-out', message };
    case 403:
      if (told.code === OWED_FIRST) return { kind: 'signed-out', message };
      return refused(told.code === ROLE_TOO_LOW ? ROLE_TOO_LOW : 'refused', answer, told);
    case 404:
      return isGone(op)
        ? { kind: 'done', message: 'It had already been deleted.', gone: true }
        : refused('gone', answer, told);
    case 408:
      return serverError(408, told);
    case 409:
      if (told.code === UNSETTLED) return { ...busy('entry', answer, message), isUnsettled: true };
      return told.code === 'in-flight' ? busy('entry', answer, message) : refused('refused', answer, told);
    case 412:
      return { kind: 'conflict', message };
    case 413:
      return refused('too-large', answer, told);
    case 419:
    case 425:
    case 429:
    case 503:
      return busy('queue', answer, message);
    case 422:
      return {
        ...refused('refused', answer, told),
        ...(told.code === 'idempotency-key-reused' ? { keyKnown: true } : {}),
      };
    default:
      return refused('refused', answer, told);
  }
}

/** True if a missing record or image means that the operation is done. */
function isGone(op: Operation): boolean {
  return op === 'delete' || op === 'delete-image';
}

function busyOrForeign(answer: Answer): Outcome {
  if (!WAITS.has(answer.status)) return FOREIGN;
  const outcome = { ...busy('queue', answer, ''), foreign: true } as const;
  const { retryAfter } = answer;
  return retryAfter === undefined ? outcome : { ...outcome, retryAfter: Math.min(retryAfter, FOREIGN_WAIT) };
}

function busy(scope: 'queue' | 'entry', answer: Answer, message: string): Outcome & { kind: 'busy' } {
  return {
    kind: 'busy',
    scope,
    mayBeDone: answer.status !== 419,
    message: message === '' ? 'The server is busy.' : message,
    ...(answer.retryAfter === undefined ? {} : { retryAfter: answer.retryAfter }),
  };
}

function serverError(status: number, told: Told): Outcome {
  return { kind: 'uncertain', status, message: told.message ?? 'The server failed.' };
}

const OWN_WORDS: Readonly<Record<string, string>> = {
  'too-large': 'The files are too large for the server.',
  gone: 'The record is no longer on the server.',
  refused: 'The server refused it.',
};

function refused(code: Reason['code'], answer: Answer, told: Told): Outcome {
  const reason: Reason = {
    code,
    status: answer.status,
    message: told.message === undefined || told.message === '' ? (OWN_WORDS[code] ?? '') : told.message,
    ...(told.errors === undefined ? {} : { errors: told.errors }),
  };
  return { kind: 'refused', reason };
}

function toldBy(body: unknown): Told {
  if (typeof body !== 'object' || body === null) return {};
  const { message, code, errors, id, version, duplicates, images } = body as Record<string, unknown>;
  return {
    ...(typeof message === 'string' ? { message } : {}),
    ...(typeof code === 'string' ? { code } : {}),
    ...(isFieldErrors(errors) ? { errors } : {}),
    ...(typeof id === 'number' ? { id } : {}),
    ...(typeof version === 'string' || typeof version === 'number' ? { version: String(version) } : {}),
    ...(isIds(duplicates) ? { duplicates } : {}),
    ...(isIds(images) ? { images } : {}),
  };
}

function isIds(ids: unknown): ids is number[] {
  return Array.isArray(ids) && ids.length > 0 && ids.every((id) => typeof id === 'number');
}

function isFieldErrors(errors: unknown): errors is FieldErrors {
  return typeof errors === 'object' && errors !== null && Object.values(errors).every(Array.isArray);
}
