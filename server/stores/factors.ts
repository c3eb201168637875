import type { Passkey, SecondFactors } from '../../src/domain/protocol/second-factor.ts';

/** A passkey, with the data to verify its responses. */
export interface StoredPasskey extends Passkey {
  readonly userId: number;
  /** COSE, Base64url. */
  readonly publicKey: string;
  /** The usage counter that its device reports; 0 if the device does not count. */
  readonly counter: number;
  /** Transports: `internal`, `usb` … */
  readonly transports: readonly string[];
}

/** A passkey to store. */
export type NewPasskey = Omit<StoredPasskey, 'createdAt' | 'usedAt'>;

/** An authenticator app, with the data to verify its codes. */
export interface StoredAuthenticator {
  /** Base32. */
  readonly secret: string;
  /** The time step of the last accepted code. That code and older ones are used up. */
  readonly lastStep: number;
  /** Wrong codes since the last correct one. */
  readonly failures: number;
  /** The time of the last wrong code, ISO 8601. */
  readonly failedAt?: string;
}

/** The second factors of a store that keeps the administrators itself. */
export interface Factors {
  of(userId: number): Promise<SecondFactors>;
  passkey(id: string): Promise<StoredPasskey | undefined>;
  passkeysOf(userId: number): Promise<readonly StoredPasskey[]>;
  /** Adds a passkey. Throws 422 if it is already known. */
  addPasskey(passkey: NewPasskey): Promise<void>;
  /** Records a use. Returns false if the counter has moved on since `before`: the response is a replay or from a copy. */
  passkeyUsed(id: string, counter: { readonly before: number; readonly after: number }): Promise<boolean>;
  /** Renames a passkey. Throws 404 if the user has no such passkey. */
  renamePasskey(userId: number, id: string, name: string): Promise<void>;
  /** Removes a passkey. Throws 404 if the user has no such passkey, 422 if one factor must remain. */
  removePasskey(userId: number, id: string): Promise<void>;
  authenticator(userId: number): Promise<StoredAuthenticator | undefined>;
  /** Sets up an authenticator app and replaces an earlier one. */
  setAuthenticator(userId: number, set: { readonly secret: string; readonly step: number }): Promise<void>;
  /** Uses up the code of a time step. Returns false if it or a later one was used before. */
  useStep(userId: number, step: number): Promise<boolean>;
  noteWrongCode(userId: number): Promise<void>;
  /** Removes the authenticator app. Throws 404 if there is none, 422 if one factor must remain. */
  removeAuthenticator(userId: number): Promise<void>;
  /** Replaces the recovery codes. Only their hashes are stored. */
  setRecoveryCodes(userId: number, codes: readonly string[]): Promise<void>;
  /** Uses up a recovery code. Returns false if it is invalid or was used before. */
  useRecoveryCode(userId: number, code: string): Promise<boolean>;
  /** Removes all factors of a user who has lost them, and ends their sessions. Throws 404. */
  reset(userId: number): Promise<{ readonly name: string; readonly email: string }>;
  /** Sets whether everyone needs a second factor. */
  require(isRequired: boolean): Promise<void>;
}
