import type { FastifyInstance } from 'fastify';
import { type Debt, OWED_FIRST } from '../../src/domain/protocol/sessions.ts';
import { SECURITY_PATH } from '../../src/domain/protocol/second-factor.ts';
import { Refusal } from '../errors/refusal.ts';

/** Always allowed: seeing what is required, and logging out. */
const ALWAYS: readonly string[] = ['/api/user', '/api/logout'];

/** The calls that satisfy each requirement. */
const SETTLING: Readonly<Record<Debt, readonly string[]>> = {
  password: ['/api/change-password'],
  'second-factor': [
    SECURITY_PATH,
    `${SECURITY_PATH}/authenticator`,
    `${SECURITY_PATH}/authenticator/take`,
    `${SECURITY_PATH}/passkeys/options`,
    `${SECURITY_PATH}/passkeys`,
  ],
};

const WORDS: Readonly<Record<Debt, string>> = {
  password: 'Choose your own password first: this one was generated for you.',
  'second-factor': 'Set up a second factor first: it is required here.',
};

/** Refuses all other calls until the user has done what their account requires. Runs after authentication. */
export function requireNothingOwed(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ signedIn, routeOptions }) => {
    const owes = signedIn?.owes;
    if (owes === undefined || [...ALWAYS, ...SETTLING[owes]].includes(routeOptions.url ?? '')) return;
    throw new Refusal(403, { message: WORDS[owes], code: OWED_FIRST });
  });
}
