/** The calls about second factors, of a server that keeps the administrators itself. All POSTs send JSON. */
export const SECURITY_PATH = '/api/security';
/** Open to everyone: the second step of a sign-in. */
export const SECOND_STEP_PATH = '/api/auth/second-factor';
/** Open to everyone: a sign-in, or its second step, by a passkey. */
export const PASSKEY_SIGN_IN_PATH = '/api/auth/passkey';
/** Whether everybody has to have a second factor: for owners. */
export const REQUIREMENT_PATH = '/api/people/second-factor';

/** The status of a right password that a second factor has to follow. */
export const FACTOR_ASKED = 202;

/** The code of a 403 to what only somebody may do who signed in just now. */
export const SIGN_IN_AGAIN = 'sign-in-again';

/** The length of a code that an authenticator app shows. */
export const CODE_DIGITS = 6;

/** How many recovery codes are made at once. */
export const RECOVERY_CODES = 10;

/** What follows a right password: the answer to a sign-in with status 202. */
export interface FactorAsked {
  readonly message: string;
  /** Names this sign-in for its second step. It works for a few minutes. */
  readonly ticket: string;
  /** Passkeys are set up. */
  readonly passkey: boolean;
  /** An authenticator app is set up. */
  readonly code: boolean;
}

/** A passkey as its owner sees it. Times are ISO 8601. */
export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  /** Absent where it was never used. */
  readonly usedAt?: string;
}

/** The answer to `GET /api/security`: one's own second factors. */
export interface SecondFactors {
  readonly passkeys: readonly Passkey[];
  /** Since when an authenticator app is set up, ISO 8601; absent where none is. */
  readonly authenticatorSince?: string;
  /** Recovery codes that were not used yet. */
  readonly codesLeft: number;
  /** An owner asks everybody for a second factor. */
  readonly required: boolean;
}

/** What an authenticator app is set up with. It is told this once. */
export interface NewAuthenticator {
  readonly ticket: string;
  /** To be typed, Base32. */
  readonly secret: string;
  /** What the QR code holds: an `otpauth:` address. */
  readonly address: string;
}

/** The answer to a call that adds a factor or makes recovery codes. The codes are told this once. */
export interface FactorAdded {
  readonly message: string;
  /** Absent where there are some already. */
  readonly recoveryCodes?: readonly string[];
}

/** What a browser is given for a ceremony with a passkey (https://www.w3.org/TR/webauthn-3/). */
export interface Ceremony {
  readonly ticket: string;
  /** `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON`. */
  readonly options: object;
}
