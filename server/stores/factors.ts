import type { Passkey, SecondFactors } from '../../src/domain/protocol/second-factor.ts';

/** A passkey with what its answers are checked by. */
export interface StoredPasskey extends Passkey {
  readonly userId: number;
  /** COSE, Base64url. */
  readonly publicKey: string;
  /** How often its device says that it was used; 0 where the device does not count. */
  readonly counter: number;
  /** Ways to reach it: `internal`, `usb` … */
  readonly transports: readonly string[];
}

/** A passkey that is to be kept. */
export type NewPasskey = Omit<StoredPasskey, 'createdAt' | 'usedAt'>;

/** An authenticator app with what its codes are checked by. */
export interface StoredAuthenticator {
  /** Base32. */
  readonly secret: string;
  /** The step of time whose code was taken last: that code and older ones are used up. */
  readonly lastStep: number;
  /** Wrong codes since the last right one. */
  readonly failures: number;
  /** When the last wrong one came, ISO 8601. */
  readonly failedAt?: string;
}

/** The second factors of a store that keeps the administrators itself. */
export interface Factors {
  of(userId: number): Promise<SecondFactors>;
  passkey(id: string): Promise<StoredPasskey | undefined>;
  passkeysOf(userId: number): Promise<readonly StoredPasskey[]>;
  /** Throws 422 for one that is known already. */
  addPasskey(passkey: NewPasskey): Promise<void>;
  /** Notes a use. False where the counter has moved on since `before`: the answer came twice, or from a copy. */
  passkeyUsed(id: string, counter: { readonly before: number; readonly after: number }): Promise<boolean>;
  /** Throws 404 where the user has no such passkey. */
  renamePasskey(userId: number, id: string, name: string): Promise<void>;
  /** Throws 404 where the user has no such passkey, 422 where one factor has to remain. */
  removePasskey(userId: number, id: string): Promise<void>;
  authenticator(userId: number): Promise<StoredAuthenticator | undefined>;
  /** Sets an authenticator app up, in the place of an earlier one. */
  setAuthenticator(userId: number, set: { readonly secret: string; readonly step: number }): Promise<void>;
  /** Uses up the code of a step of time. False where it, or a later one, was used before. */
  useStep(userId: number, step: number): Promise<boolean>;
  noteWrongCode(userId: number): Promise<void>;
  /** Throws 404 where there is none, 422 where one factor has to remain. */
  removeAuthenticator(userId: number): Promise<void>;
  /** Puts recovery codes in the place of earlier ones. Only their hashes are kept. */
  setRecoveryCodes(userId: number, codes: readonly string[]): Promise<void>;
  /** Uses up a recovery code. False where it is none, or was used before. */
  useRecoveryCode(userId: number, code: string): Promise<boolean>;
  /** Removes all factors of somebody who has lost them, and ends their sessions. Throws 404. */
  reset(userId: number): Promise<{ readonly name: string; readonly email: string }>;
  /** Asks everybody for a second factor, or nobody any more. */
  require(isRequired: boolean): Promise<void>;
}
