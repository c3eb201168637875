import { SIGN_IN_AGAIN } from '../../src/domain/protocol/second-factor.ts';
import { Refusal } from '../refusal.ts';
import type { SignedIn } from '../stores/store.ts';

/** How long after a sign-in the sign-in methods may be changed. Milliseconds. */
const FRESH = 15 * 60_000;

/**
 * Throws 403 if the sign-in is older than 15 minutes, so that an unattended tablet cannot be used to take over the account.
 */
export function requireFresh({ signedInAt }: SignedIn, now: number): void {
  if (signedInAt !== undefined && now - Date.parse(signedInAt) <= FRESH) return;
  throw new Refusal(403, { message: 'Sign in again to change this.', code: SIGN_IN_AGAIN });
}
