import type { FastifyInstance } from 'fastify';
import { type Debt, OWED_FIRST } from '../../src/domain/protocol/sessions.ts';
import { Refusal } from '../refusal.ts';

/** What may be done while something is owed: what settles it, and leaving. */
const ALLOWED: ReadonlySet<string> = new Set(['/api/user', '/api/logout', '/api/change-password']);

const WORDS: Readonly<Record<Debt, string>> = {
  password: 'Choose a password of your own first: this one was made up for you.',
};

/** Refuses everything else to somebody who first has to do something about the own account. Behind the sign-in. */
export function requireNothingOwed(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ signedIn, routeOptions }) => {
    const owes = signedIn?.owes;
    if (owes === undefined || ALLOWED.has(routeOptions.url ?? '')) return;
    throw new Refusal(403, { message: WORDS[owes], code: OWED_FIRST });
  });
}
