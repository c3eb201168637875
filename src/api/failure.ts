import type { FieldErrors } from '../domain/validate.ts';
import { say, t } from '../language/t.ts';

/**
 * Why a request failed.
 * - `unreachable`: no answer, or one that is not from our server (captive portal, login page)
 * - `signed-out`: 401
 * - `invalid`: 422 with messages per field
 * - `missing`: 404
 * - `sign-in-again`: 403, requires a recent sign-in
 * - `refused`: any other failure with an answer
 */
export type FailureKind = 'unreachable' | 'signed-out' | 'invalid' | 'missing' | 'sign-in-again' | 'refused';

/** A failed request. The message is for the user: the server's, or ours if it sent none. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly kind: FailureKind;
  readonly errors: FieldErrors;

  constructor(kind: FailureKind, message: string, errors: FieldErrors = {}) {
    super(message);
    this.kind = kind;
    this.errors = errors;
  }
}

/** The message for a caught error, in the user's language. */
export function messageOf(caught: unknown): string {
  return caught instanceof Error && caught.message !== '' ? say(caught.message) : t('Something went wrong.');
}
