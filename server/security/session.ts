import type { FastifyInstance, FastifyRequest } from 'fastify';
import { WAITING_HEADER } from '../../src/domain/protocol/sessions.ts';
import type { AnyResource } from '../../src/domain/resource.ts';
import type { Credentials, SignedIn, Store, VersionedRecord } from '../stores/store.ts';

/** A record that is asked for. */
export interface Asked {
  readonly resource: AnyResource;
  readonly id: number;
}

type Sessions = Pick<Store, 'signedIn' | 'signedInWithRecord' | 'noteUse'>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sent it; null on routes that are open to everyone. */
    signedIn: SignedIn | null;
    /** The record that it asks for, where that was read along with its sender. */
    readAlong: VersionedRecord | undefined;
  }
  interface FastifyContextConfig {
    /** Answers everyone, signed in or not. */
    open?: boolean;
    /** The record that this request asks for: it may be read along with its sender. */
    asksFor?: (request: FastifyRequest) => Asked | undefined;
  }
}

/** Asks for a living bearer token on every route of this scope that is not marked open. */
export function requireSignIn(app: FastifyInstance, store: Sessions): void {
  app.decorateRequest('signedIn', null);
  app.decorateRequest('readAlong', undefined);
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.open === true) return;
    request.signedIn = await signIn(store, request);
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

async function signIn(store: Sessions, request: FastifyRequest): Promise<SignedIn> {
  const credentials = credentialsOf(request);
  const asked = request.routeOptions.config.asksFor?.(request);
  if (asked === undefined || store.signedInWithRecord === undefined) return store.signedIn(credentials);
  const { signedIn, record } = await store.signedInWithRecord(credentials, asked.resource, asked.id);
  request.readAlong = record;
  return signedIn;
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
