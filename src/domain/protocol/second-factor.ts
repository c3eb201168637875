/** The calls about second factors, on a server that manages administrators itself. All POSTs send JSON. */
export const SECURITY_PATH = '/api/security';
/** The second step of a sign-in. Needs no session. */
export const SECOND_STEP_PATH = '/api/auth/second-factor';
/** A sign-in, or its second step, with a passkey. Needs no session. */
export const PASSKEY_SIGN_IN_PATH = '/api/auth/passkey';
/** Whether everyone must have a second factor. For owners. */
export const REQUIREMENT_PATH = '/api/people/second-factor';

/** The status after a correct password that requires a second factor. */
export const FACTOR_ASKED = 202;

/** The code of a 403 for an operation that requires a recent sign-in. */
export const SIGN_IN_AGAIN = 'sign-in-again';

/** The length of an authenticator app's code. */
export const CODE_DIGITS = 6;

/** The number of recovery codes generated at once. */
export const RECOVERY_CODES = 10;

/** The answer to a sign-in with status 202, after a correct password. */
export interface FactorAsked {
  readonly message: string;
  /** Identifies the sign-in in its second step. Valid for a few minutes. */
  readonly ticket: string;
  /** Passkeys are set up. */
  readonly passkey: boolean;
  /** An authenticator app is set up. */
  readonly code: boolean;
}

/** A passkey, as shown to its owner. Times are ISO 8601. */
export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  /** Absent if never used. */
  readonly usedAt?: string;
}

/** The answer to `GET /api/security`: the user's own second factors. */
export interface SecondFactors {
  readonly passkeys: readonly Passkey[];
  /** When the authenticator app was set up, ISO 8601. Absent without one. */
  readonly authenticatorSince?: string;
  /** Number of unused recovery codes. */
  readonly codesLeft: number;
  /** An owner requires a second factor from everyone. */
  readonly required: boolean;
}

/** The setup of an authenticator app. Returned only once. */
export interface NewAuthenticator {
  readonly ticket: string;
  /** The secret for manual entry, Base32. */
  readonly secret: string;
  /** The content of the QR code, an `otpauth:` address. */
  readonly address: string;
}

/** The answer to a call that adds a factor or generates recovery codes. The codes are returned only once. */
export interface FactorAdded {
  readonly message: string;
  /** Absent if there already are some. */
  readonly recoveryCodes?: readonly string[];
}

/** The browser's input for a passkey ceremony (https://www.w3.org/TR/webauthn-3/). */
export interface Ceremony {
  readonly ticket: string;
  /** `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON`. */
  readonly options: object;
}
