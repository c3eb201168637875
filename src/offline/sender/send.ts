import { ANTI_FORGERY_COOKIE } from '../../domain/protocol/anti-forgery.ts';
import type { Answer } from '../../domain/outbox/classify.ts';
import type { FileReference } from '../../domain/outbox/vocabulary.ts';
import { type Again, AGAIN_HEADER } from '../../domain/protocol/kept.ts';
import type { ChangeRequest } from '../../domain/protocol/requests.ts';
import { type NamedFile, STAGED_FILES } from '../../domain/protocol/staging.ts';
import type { Environment } from '../storage/environment.ts';
import { writeGuarded } from './anti-forgery.ts';
import { exchange, headersFor } from './http.ts';
import { openFile } from '../storage/files.ts';
import { timeoutOf } from './time-limits.ts';

/** A request with its files opened and checked. */
export interface PreparedRequest {
  readonly request: ChangeRequest;
  /** One per file of the request; undefined for a file the server already has. */
  readonly files: readonly (File | undefined)[];
  /** Milliseconds after which the attempt times out. */
  readonly timeout: number;
  /** The anti-forgery cookie, if it was read ahead. */
  readonly cookie?: string | undefined;
}

/** Opens the files of a request, except staged ones. Throws FileLostError if stored bytes differ from what was saved. */
export async function prepareRequest(
  environment: Environment,
  request: ChangeRequest,
  ahead: readonly FileReference[],
): Promise<PreparedRequest> {
  const files: (File | undefined)[] = [];
  for (const [, reference] of request.files) {
    files.push(ahead.includes(reference) ? undefined : await openFile(environment, reference));
  }
  const bytes = files.reduce((sum, file) => sum + (file?.size ?? 0), 0);
  return { request, files, timeout: timeoutOf(bytes) };
}

/** Prepares a request while the previous one is in flight, and reads the cookie too. Throws like `prepareRequest`. */
export async function prepareRequestAhead(
  environment: Environment,
  request: ChangeRequest,
  ahead: readonly FileReference[],
): Promise<PreparedRequest> {
  const [prepared, cookie] = await Promise.all([
    prepareRequest(environment, request, ahead),
    environment.cookie(ANTI_FORGERY_COOKIE),
  ]);
  return { ...prepared, cookie };
}

/**
 * Sends a change. Returns the answer, or undefined if no complete answer arrived. `mayGo` rejects if the request must not leave
 * any more.
 */
export async function send(
  environment: Environment,
  prepared: PreparedRequest,
  token: string,
  idempotencyKey: string,
  mayGo = async () => {},
  again?: Again,
): Promise<Answer | undefined> {
  const { request, timeout } = prepared;
  return writeGuarded(environment, token, prepared.cookie, async (guard) => {
    await mayGo();
    const headers = {
      ...headersFor(token),
      'Idempotency-Key': idempotencyKey,
      ...(again && { [AGAIN_HEADER]: JSON.stringify(again) }),
      ...(request.ifMatch === undefined ? {} : { 'If-Match': `"${request.ifMatch}"` }),
      ...guard,
    };
    return exchange(environment, request.path, { method: 'POST', headers, ...bodyOf(prepared) }, timeout);
  });
}

/** A change without fields and files (a delete) has no body. */
function bodyOf({ request, files }: PreparedRequest): { body?: FormData } {
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

/** A staged file, as its change names it. */
export function namedFile({ field, sha256, name, type }: FileReference): NamedFile {
  return { field, sha256, name, type };
}
