import type { FastifyInstance } from 'fastify';
import { DOWNLOADS_PATH } from '../../src/domain/protocol/backups.ts';
import { CONTENT_TOKENS_PATH } from '../../src/domain/protocol/content.ts';
import { INVITATIONS_PATH, PEOPLE_PATH } from '../../src/domain/protocol/people.ts';
import { REQUIREMENT_PATH, SECURITY_PATH, SIGN_IN_AGAIN } from '../../src/domain/protocol/second-factor.ts';
import { WEBHOOKS_PATH } from '../../src/domain/protocol/webhooks.ts';
import { Refusal } from '../errors/refusal.ts';
import type { SignedIn } from '../stores/store.ts';
import { senderOf } from './session.ts';

/** How long after a sign-in the calls below may be made. Milliseconds. */
const FRESH = 15 * 60_000;

/**
 * THE table of calls that give rights, to somebody else or to whoever holds the device (a backup holds all passwords' hashes): they need a recent sign-in, so that
 * an unattended tablet, or a stolen session, cannot make itself permanent.
 */
export const GIVES_RIGHTS: ReadonlySet<string> = new Set([
  `POST ${SECURITY_PATH}/authenticator`,
  `POST ${SECURITY_PATH}/authenticator/remove`,
  `POST ${SECURITY_PATH}/passkeys/options`,
  `POST ${SECURITY_PATH}/passkeys/:id/remove`,
  `POST ${SECURITY_PATH}/recovery-codes`,
  `POST ${INVITATIONS_PATH}`,
  `POST ${PEOPLE_PATH}/:id/role`,
  `POST ${PEOPLE_PATH}/:id/reset`,
  `POST ${PEOPLE_PATH}/:id/reset-second-factor`,
  `POST ${PEOPLE_PATH}/:id/remove`,
  `POST ${REQUIREMENT_PATH}`,
  `POST ${CONTENT_TOKENS_PATH}`,
  `POST ${WEBHOOKS_PATH}`,
  `POST ${DOWNLOADS_PATH}`,
]);

/** Requires a recent sign-in on the routes of this scope that give rights. Runs after the role was checked. */
export function requireFreshSignIn(app: FastifyInstance, now: () => number): void {
  app.addHook('onRequest', async (request) => {
    if (GIVES_RIGHTS.has(`${request.method} ${request.routeOptions.url}`)) requireFresh(senderOf(request), now());
  });
}

/** Throws 403 if the sign-in is older than 15 minutes. `now` is epoch milliseconds. */
export function requireFresh({ signedInAt }: SignedIn, now: number): void {
  // a sign-in in the future is of a clock that was set back since
  if (signedInAt !== undefined && Math.abs(now - Date.parse(signedInAt)) <= FRESH) return;
  throw new Refusal(403, { message: 'Sign in again to change this.', code: SIGN_IN_AGAIN });
}
