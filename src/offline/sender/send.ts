import { ANTI_FORGERY_COOKIE } from '../../domain/protocol/anti-forgery.ts';
import type { Answer } from '../../domain/outbox/classify.ts';
import type { FileReference } from '../../domain/outbox/vocabulary.ts';
import type { ChangeRequest } from '../../domain/protocol/requests.ts';
import { type NamedFile, STAGED_FILES } from '../../domain/protocol/staging.ts';
import type { Environment } from '../storage/environment.ts';
import { writeGuarded } from './anti-forgery.ts';
import { exchange, headersFor } from './http.ts';
import { openFile } from '../storage/files.ts';
import { timeoutOf } from './time-limits.ts';

/** A request with the bytes it carries, checked. */
export interface Parcel {
  readonly request: ChangeRequest;
  /** One for each of the request's files; undefined for what the server has already. */
  readonly files: readonly (File | undefined)[];
  /** Milliseconds after which the attempt is given up. */
  readonly timeout: number;
  /** The anti-forgery cookie, where it was read ahead. */
  readonly cookie?: string | undefined;
}

/** Opens the files of a request but those that went before it. Throws FileLostError for one whose bytes are not what was saved. */
export async function pack(
  environment: Environment,
  request: ChangeRequest,
  ahead: readonly FileReference[],
): Promise<Parcel> {
  const files: (File | undefined)[] = [];
  for (const [, reference] of request.files) {
    files.push(ahead.includes(reference) ? undefined : await openFile(environment, reference));
  }
  const bytes = files.reduce((sum, file) => sum + (file?.size ?? 0), 0);
  return { request, files, timeout: timeoutOf(bytes) };
}

/** Does what can be done for a request while the one before it is on its way. Throws FileLostError like `pack`. */
export async function packAhead(
  environment: Environment,
  request: ChangeRequest,
  ahead: readonly FileReference[],
): Promise<Parcel> {
  const [parcel, cookie] = await Promise.all([
    pack(environment, request, ahead),
    environment.cookie(ANTI_FORGERY_COOKIE),
  ]);
  return { ...parcel, cookie };
}

/** Sends a change and answers what came back; undefined when nothing whole did. */
export async function send(
  environment: Environment,
  parcel: Parcel,
  token: string,
  idempotencyKey: string,
): Promise<Answer | undefined> {
  const { request, timeout } = parcel;
  return writeGuarded(environment, token, parcel.cookie, (guard) => {
    const headers = {
      ...headersFor(token),
      'Idempotency-Key': idempotencyKey,
      ...(request.ifMatch === undefined ? {} : { 'If-Match': `"${request.ifMatch}"` }),
      ...guard,
    };
    return exchange(environment, request.path, { method: 'POST', headers, ...bodyOf(parcel) }, timeout);
  });
}

/** A change without fields and files (a delete) has no body. */
function bodyOf({ request, files }: Parcel): { body?: FormData } {
  if (request.fields.length === 0 && request.files.length === 0) return {};
  const body = new FormData();
  for (const [name, value] of request.fields) body.append(name, value);
  request.files.forEach(([name, reference], index) => {
    const file = files[index];
    if (file !== undefined) body.append(name, file, reference.name);
  });
  const named = request.files.flatMap(([, reference], place) =>
    files[place] === undefined ? [{ ...namedFile(reference), place }] : [],
  );
  if (named.length > 0) body.append(STAGED_FILES, JSON.stringify(named));
  return { body };
}

/** A file as a change names it that does not bring it. */
export function namedFile({ field, sha256, name, type }: FileReference): NamedFile {
  return { field, sha256, name, type };
}
