import type { Answer } from '../../domain/outbox/classify.ts';
import { bytesOf, type ChangeRequest } from '../../domain/protocol/requests.ts';
import type { Environment } from '../storage/environment.ts';
import { ANTI_FORGERY_COOKIE, cookieAfter, cookieFor } from './anti-forgery.ts';
import { exchange, headersFor } from './http.ts';
import { openFile } from '../storage/files.ts';
import { timeoutOf } from './time-limits.ts';

/** A request with the bytes it carries, checked. */
export interface Parcel {
  readonly request: ChangeRequest;
  readonly files: readonly File[];
  /** Milliseconds after which the attempt is given up. */
  readonly timeout: number;
  /** The anti-forgery cookie, where it was read ahead. */
  readonly cookie?: string | undefined;
}

const ANTI_FORGERY_EXPIRED = 419;
/** For how long after its beginning a request is repeated at once with a new cookie, in milliseconds. */
const REPEATED_WITHIN = 10_000;

/** Opens the files of a request. Throws FileLostError for one whose bytes are not what was saved. */
export async function pack(environment: Environment, request: ChangeRequest): Promise<Parcel> {
  const files: File[] = [];
  for (const [, reference] of request.files) files.push(await openFile(environment, reference));
  return { request, files, timeout: timeoutOf(bytesOf(request)) };
}

/** Does what can be done for a request while the one before it is on its way. Throws FileLostError like `pack`. */
export async function packAhead(environment: Environment, request: ChangeRequest): Promise<Parcel> {
  const [parcel, cookie] = await Promise.all([pack(environment, request), environment.cookie(ANTI_FORGERY_COOKIE)]);
  return { ...parcel, cookie };
}

/**
 * Sends a change and answers what came back; undefined when nothing whole did. An expired anti-forgery cookie is
 * renewed by a GET, once, and the request repeated soon after: the server did not look at the first one.
 */
export async function send(
  environment: Environment,
  parcel: Parcel,
  token: string,
  idempotencyKey: string,
): Promise<Answer | undefined> {
  const cookie = parcel.cookie ?? (await cookieFor(environment, token));
  const began = environment.now();
  const headers = { ...headersFor(token), 'Idempotency-Key': idempotencyKey };
  const answer = await post(environment, parcel, headers, cookie);
  if (answer?.status !== ANTI_FORGERY_EXPIRED) return answer;
  const renewed = await cookieAfter(environment, token, cookie);
  // on a slow link, or after the device slept: what the change was compared with may be another by now, so it gets a turn of its own
  if (renewed === undefined || environment.now() - began > REPEATED_WITHIN) return answer;
  return post(environment, parcel, headers, renewed.cookie);
}

async function post(
  environment: Environment,
  { request, files, timeout }: Parcel,
  given: Readonly<Record<string, string>>,
  cookie: string | undefined,
): Promise<Answer | undefined> {
  const headers = {
    ...given,
    ...(request.ifMatch === undefined ? {} : { 'If-Match': `"${request.ifMatch}"` }),
    // the header holds the cookie's value decoded; a stock back end refuses it otherwise
    ...(cookie === undefined ? {} : { 'X-XSRF-TOKEN': decoded(cookie) }),
  };
  return exchange(environment, request.path, { method: 'POST', headers, ...bodyOf(request, files) }, timeout);
}

/** A change without fields and files (a delete) has no body. */
function bodyOf(request: ChangeRequest, files: readonly File[]): { body?: FormData } {
  if (request.fields.length === 0 && request.files.length === 0) return {};
  const body = new FormData();
  for (const [name, value] of request.fields) body.append(name, value);
  request.files.forEach(([name, reference], index) => {
    const file = files[index];
    if (file !== undefined) body.append(name, file, reference.name);
  });
  return { body };
}

function decoded(cookie: string): string {
  try {
    return decodeURIComponent(cookie);
  } catch {
    return cookie;
  }
}
