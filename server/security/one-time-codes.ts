import { Secret, TOTP } from 'otpauth';
import { CODE_DIGITS } from '../../src/domain/protocol/second-factor.ts';
import type { StoredAuthenticator } from '../stores/factors.ts';

/** In seconds; what every authenticator app takes for granted. */
const PERIOD = 30;
/** The steps before and after the present one are taken too: clocks differ (RFC 6238, 5.2). */
const STEPS_BESIDE = 1;
const SECRET_BYTES = 20;

/** So many wrong codes in a row, and only one try is left in each rest: the password is known to whoever tries. */
const MOST_FAILURES = 10;
/** In milliseconds. */
const REST = 15 * 60_000;

/** A secret for an authenticator app, Base32. */
export function newSecret(randomBytes: (count: number) => Buffer): string {
  const bytes = randomBytes(SECRET_BYTES);
  return new Secret({ buffer: new Uint8Array(bytes).buffer }).base32;
}

/** The address by which an authenticator app is set up (https://github.com/google/google-authenticator/wiki/Key-Uri-Format). */
export function setUpAddress(secret: string, names: { readonly issuer: string; readonly account: string }): string {
  // a colon divides the names there
  const plain = (text: string) => text.replaceAll(':', ' ').trim();
  const options = { issuer: plain(names.issuer), label: plain(names.account), digits: CODE_DIGITS, period: PERIOD };
  return new TOTP({ ...options, algorithm: 'SHA1', secret: Secret.fromBase32(secret) }).toString();
}

/** The step of time that this code belongs to; undefined where it is none of this secret's now. `now` in epoch milliseconds. */
export function stepOf(secret: string, code: string, now: number): number | undefined {
  const totp = new TOTP({ digits: CODE_DIGITS, period: PERIOD, algorithm: 'SHA1', secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token: code, timestamp: now, window: STEPS_BESIDE });
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD) + delta;
}

/** The seconds to wait after too many wrong codes in a row; undefined where a code may be tried. `now` in epoch milliseconds. */
export function restFor(
  { failures, failedAt }: Pick<StoredAuthenticator, 'failures' | 'failedAt'>,
  now: number,
): number | undefined {
  if (failures < MOST_FAILURES || failedAt === undefined) return undefined;
  const left = Date.parse(failedAt) + REST - now;
  return left > 0 ? Math.ceil(left / 1000) : undefined;
}
