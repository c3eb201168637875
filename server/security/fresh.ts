import { SIGN_IN_AGAIN } from '../../src/domain/protocol/second-factor.ts';
import { Refusal } from '../refusal.ts';
import type { SignedIn } from '../stores/store.ts';

/** In milliseconds: for so long after a sign-in the ways to sign in may be changed. */
const FRESH = 15 * 60_000;

/** Throws 403 where the sign-in is not of this quarter of an hour: a tablet that lies about is not to give the account away. */
export function requireFresh({ signedInAt }: SignedIn, now: number): void {
  if (signedInAt !== undefined && now - Date.parse(signedInAt) <= FRESH) return;
  throw new Refusal(403, { message: 'Sign in again to change this.', code: SIGN_IN_AGAIN });
}
