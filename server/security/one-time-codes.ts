import { Secret, TOTP } from 'otpauth';
import { CODE_DIGITS } from '../../src/domain/protocol/second-factor.ts';
import type { StoredAuthenticator } from '../stores/factors.ts';

/** Seconds. Every authenticator app assumes this value. */
const PERIOD = 30;
/** The steps before and after the current one are accepted too, since clocks differ (RFC 6238, 5.2). */
const STEPS_BESIDE = 1;
const SECRET_BYTES = 20;

/** After this many wrong codes in a row only one try per rest is left: whoever tries knows the password. */
const MOST_FAILURES = 10;
/** Milliseconds. */
const REST = 15 * 60_000;
/** By how much the clocks of servers may differ. Milliseconds. */
const TOLERATED = 30_000;

/** Creates a secret for an authenticator app, in Base32. */
export function newSecret(randomBytes: (count: number) => Buffer): string {
  const bytes = randomBytes(SECRET_BYTES);
  return new Secret({ buffer: new Uint8Array(bytes).buffer }).base32;
}

/** The setup URI for an authenticator app (https://github.com/google/google-authenticator/wiki/Key-Uri-Format). */
export function setUpAddress(secret: string, names: { readonly issuer: string; readonly account: string }): string {
  // a colon separates the two names
  const plain = (text: string) => text.replaceAll(':', ' ').trim();
  const options = { issuer: plain(names.issuer), label: plain(names.account), digits: CODE_DIGITS, period: PERIOD };
  return new TOTP({ ...options, algorithm: 'SHA1', secret: Secret.fromBase32(secret) }).toString();
}

/** The time step that this code belongs to. Undefined if the secret does not produce it now. `now` in epoch milliseconds. */
export function stepOf(secret: string, code: string, now: number): number | undefined {
  const totp = new TOTP({ digits: CODE_DIGITS, period: PERIOD, algorithm: 'SHA1', secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token: code, timestamp: now, window: STEPS_BESIDE });
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD) + delta;
}

/** Seconds to wait after too many wrong codes in a row. Undefined if a code may be tried. `now` in epoch milliseconds. */
export function restFor(
  { failures, failedAt }: Pick<StoredAuthenticator, 'failures' | 'failedAt'>,
  now: number,
): number | undefined {
  if (failures < MOST_FAILURES || failedAt === undefined) return undefined;
  const left = Date.parse(failedAt) + REST - now;
  // the clock was set back since: the next wrong code is noted by the present one
  if (left > REST + TOLERATED) return undefined;
  return left > 0 ? Math.ceil(Math.min(left, REST) / 1000) : undefined;
}
