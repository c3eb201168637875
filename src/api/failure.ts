import type { FieldErrors } from '../domain/validate.ts';
import { say, t } from '../language/t.ts';

/**
 * Why a request brought nothing.
 * - `unreachable`: no answer, or one that is not our server's (captive portal, login page)
 * - `signed-out`: 401
 * - `invalid`: 422 with texts per field
 * - `missing`: 404
 * - `sign-in-again`: 403, only somebody who signed in just now may do it
 * - `refused`: any other answered failure
 */
export type FailureKind = 'unreachable' | 'signed-out' | 'invalid' | 'missing' | 'sign-in-again' | 'refused';

/** A request that brought nothing. The message is for people: the server's own, or ours where it had none. */
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

/** What to tell people about something caught, in their language. */
export function messageOf(caught: unknown): string {
  return caught instanceof Error && caught.message !== '' ? say(caught.message) : t('Something went wrong.');
}
