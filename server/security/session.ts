import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import { type SignedIn, type TokenWorld, userOfToken } from '../stores/sqlite/tokens.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sent it; null on routes that are open to everyone. */
    signedIn: SignedIn | null;
  }
  interface FastifyContextConfig {
    /** Answers everyone, signed in or not. */
    open?: boolean;
  }
}

/** Asks for a living bearer token on every route of this scope that is not marked open. */
export function requireSignIn(app: FastifyInstance, world: TokenWorld): void {
  app.decorateRequest('signedIn', null);
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.open === true) return;
    request.signedIn = (await userOfToken(world, bearerOf(request))) ?? null;
    if (request.signedIn === null) throw new Refusal(401, { message: 'Unauthenticated.' });
  });
}

/** The sender of a request on a route that asks for sign-in. */
export function senderOf(request: FastifyRequest): SignedIn {
  if (request.signedIn === null) throw new Error(`${request.url} is open, so it has no sender.`);
  return request.signedIn;
}

function bearerOf(request: FastifyRequest): string {
  return /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
}
