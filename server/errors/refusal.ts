import { ROLE_TOO_LOW, ROLE_WORDS, type Role } from '../../src/domain/roles.ts';
import { INVALID } from '../../src/domain/messages.ts';
import { UNSETTLED } from '../../src/domain/protocol/unsettled.ts';
import { STAGE_AGAIN } from '../../src/domain/protocol/staging.ts';
import type { FieldErrors } from '../../src/domain/validate.ts';

/** The body of every unsuccessful answer. */
export interface RefusalBody {
  readonly message: string;
  readonly errors?: FieldErrors;
  /** Machine-readable; the message is for people. */
  readonly code?: string;
  /** The record's current version (412). */
  readonly version?: string;
  /** Hashes of the files to stage (409). */
  readonly missing?: readonly string[];
  /** Records of which one may be this change's (409 `unsettled`). */
  readonly candidates?: readonly number[];
  /** Since when its outcome is unknown, ISO 8601 (409 `unsettled`). */
  readonly since?: string;
  /** The key of the failed earlier change (424). */
  readonly earlier?: string;
}

/** An unsuccessful answer, thrown from anywhere while a request is handled. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: RefusalBody;
  readonly headers: Readonly<Record<string, string>>;
  readonly #cookies: readonly string[];

  constructor(
    status: number,
    body: RefusalBody,
    headers: Readonly<Record<string, string>> = {},
    cookies: readonly string[] = [],
  ) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.headers = headers;
    this.#cookies = cookies;
  }

  /** Cookies of an existing back end. Not a property, since the log writes those of an error. */
  get cookies(): readonly string[] {
    return this.#cookies;
  }
}

/** 422 with messages per field. */
export function invalid(errors: FieldErrors): Refusal {
  return new Refusal(422, { message: INVALID, errors });
}

/** 404 for a missing record or address. */
export function notFound(message: string): Refusal {
  return new Refusal(404, { message });
}

/** 429 with the seconds to wait. */
export function tooMany(seconds: number): Refusal {
  return new Refusal(
    429,
    { message: `Too many attempts. Please try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.` },
    { 'Retry-After': String(seconds) },
  );
}

/** 409 for a change that is still in progress. The sender asks again. */
export function inFlight(): Refusal {
  return new Refusal(409, { message: 'This change is being carried out.', code: 'in-flight' });
}

/** 409 for a change whose outcome an existing back end does not tell. Nothing more is sent until its sender decides. */
export function unsettled(message: string, since: number, candidates: readonly number[]): Refusal {
  return new Refusal(409, { message, code: UNSETTLED, since: new Date(since).toISOString(), candidates });
}

/** 409 for a change that its sender has given up, so that nobody sends it again by itself. */
export function givenUp(): Refusal {
  return new Refusal(409, { message: 'You have given it up. Retry sends it again.', code: 'given-up' });
}

/** 409 for a change whose files are missing. Nothing was done: the sender stages them and repeats the change. */
export function stageAgain(missing: readonly string[]): Refusal {
  const message = 'The files of this change are no longer on the server. They will be sent again.';
  return new Refusal(409, { message, code: STAGE_AGAIN, missing });
}

/** 422 for a key that was used with another payload. */
export function keyReused(): Refusal {
  return new Refusal(422, {
    message: 'This Idempotency-Key was already used for another change.',
    code: 'idempotency-key-reused',
  });
}

/** 412 for a change that was made on an outdated version. */
export function changedSince(version: string): Refusal {
  return new Refusal(412, {
    message: 'This record was changed by someone else in the meantime.',
    code: 'version-mismatch',
    version,
  });
}

/** True unless `If-Match` names versions and the current one is not among them. */
export function matches(ifMatch: string | undefined, version: string): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true;
  return ifMatch.split(',').some((tag) => tag.trim().replace(/^(W\/)?"(.*)"$/, '$2') === version);
}

/** 403 for a call that needs a higher role. */
export function roleTooLow(role: Role | undefined, least: Role | undefined): Refusal {
  const own = role === undefined ? '' : ` Yours is ${ROLE_WORDS[role].label}.`;
  const needed = ROLE_WORDS[least ?? 'owner'].label;
  const message = `This needs the role ${needed}.${own} An owner can change it under People.`;
  return new Refusal(403, { message, code: ROLE_TOO_LOW });
}
