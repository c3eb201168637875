import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DEVICE_HEADER, readReport } from '../../src/domain/protocol/devices.ts';
import { WAITING_HEADER } from '../../src/domain/protocol/sessions.ts';
import type { AnyResource } from '../../src/domain/resource.ts';
import type { Devices } from '../stores/devices.ts';
import type { Credentials, SignedIn, Store, VersionedRecord } from '../stores/store.ts';
import { deviceName } from './device-name.ts';

/** A requested record. */
export interface Asked {
  readonly resource: AnyResource;
  readonly id: number;
}

type Sessions = Pick<Store, 'signedIn' | 'signedInWithRecord' | 'noteUse' | 'devices'>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The sender; null on routes that are open to everyone. */
    signedIn: SignedIn | null;
    /** The requested record, if it was read along with the sender. */
    readAlong: VersionedRecord | undefined;
  }
  interface FastifyContextConfig {
    /** Open to everyone, signed in or not. */
    open?: boolean;
    /** The record that this request asks for. It may be read along with the sender. */
    asksFor?: (request: FastifyRequest) => Asked | undefined;
  }
}

/** Requires a valid bearer token on every route of this scope that is not marked open. */
export function requireSignIn(app: FastifyInstance, store: Sessions): void {
  app.decorateRequest('signedIn', null);
  app.decorateRequest('readAlong', undefined);
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.open === true) return;
    request.signedIn = await signIn(store, request);
    // every later log line of this request names the user
    request.log = request.log.child({ user: request.signedIn.user.id });
    reply.log = request.log;
  });
  // Runs after the response: a full disk must not prevent reading.
  app.addHook('onResponse', async ({ signedIn, log, ip, headers }) => {
    if (signedIn === null) return;
    const told = /^\d{1,6}$/.exec([headers[WAITING_HEADER.toLowerCase()]].flat()[0] ?? '')?.[0];
    const use = { address: ip, ...(told === undefined ? {} : { waiting: Number(told) }) };
    await store.noteUse?.(signedIn, use).catch((err: unknown) => log.warn({ err }, 'use of a session not noted'));
    await noteDevice(store.devices, signedIn, headers, use.waiting).catch((err: unknown) =>
      log.warn({ err }, 'report of a device not noted'),
    );
  });
}

/** Notes what a page reports about its device, or that a device sends a change without its page. */
async function noteDevice(
  devices: Devices | undefined,
  sender: SignedIn,
  headers: FastifyRequest['headers'],
  waiting: number | undefined,
): Promise<void> {
  if (devices === undefined) return;
  const report = readReport([headers[DEVICE_HEADER.toLowerCase()]].flat()[0] ?? '');
  if (report !== undefined && waiting !== undefined)
    await devices.note(sender, { ...report, waiting, device: deviceName(headers['user-agent'] ?? '') });
  else if (headers['idempotency-key'] !== undefined && waiting === undefined) await devices.sends(sender);
}

async function signIn(store: Sessions, request: FastifyRequest): Promise<SignedIn> {
  const credentials = credentialsOf(request);
  const asked = request.routeOptions.config.asksFor?.(request);
  if (asked === undefined || store.signedInWithRecord === undefined) return store.signedIn(credentials);
  const { signedIn, record } = await store.signedInWithRecord(credentials, asked.resource, asked.id);
  request.readAlong = record;
  return signedIn;
}

/** The sender of a request on a route that requires sign-in. */
export function senderOf(request: FastifyRequest): SignedIn {
  if (request.signedIn === null) throw new Error(`${request.url} is open, so it has no sender.`);
  return request.signedIn;
}

/** The credentials of a request. */
export function credentialsOf({ headers }: FastifyRequest): Credentials {
  return {
    token: /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '',
    cookie: headers.cookie ?? '',
    antiForgery: [headers['x-xsrf-token'] ?? ''].flat()[0] ?? '',
  };
}
