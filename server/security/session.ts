import type { FastifyInstance, FastifyRequest } from 'fastify';
import { WAITING_HEADER } from '../../src/domain/protocol/sessions.ts';
import type { Credentials, SignedIn, Store } from '../stores/store.ts';

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
export function requireSignIn(app: FastifyInstance, store: Pick<Store, 'signedIn' | 'noteUse'>): void {
  app.decorateRequest('signedIn', null);
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.open === true) return;
    request.signedIn = await store.signedIn(credentialsOf(request));
    // every later line of this request says whose it was
    request.log = request.log.child({ user: request.signedIn.user.id });
    reply.log = request.log;
  });
  // Behind the answer: a disk that takes no more is no reason not to read.
  app.addHook('onResponse', async ({ signedIn, log, ip, headers }) => {
    if (signedIn === null) return;
    const told = /^\d{1,6}$/.exec([headers[WAITING_HEADER.toLowerCase()]].flat()[0] ?? '')?.[0];
    const use = { address: ip, ...(told === undefined ? {} : { waiting: Number(told) }) };
    await store.noteUse?.(signedIn, use).catch((err: unknown) => log.warn({ err }, 'use of a session not noted'));
  });
}

/** The sender of a request on a route that asks for sign-in. */
export function senderOf(request: FastifyRequest): SignedIn {
  if (request.signedIn === null) throw new Error(`${request.url} is open, so it has no sender.`);
  return request.signedIn;
}

/** What a request brought to show who sent it. */
export function credentialsOf({ headers }: FastifyRequest): Credentials {
  return {
    token: /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '',
    cookie: headers.cookie ?? '',
    antiForgery: [headers['x-xsrf-token'] ?? ''].flat()[0] ?? '',
  };
}
