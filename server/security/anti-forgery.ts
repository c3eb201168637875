import { createHmac } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../errors/refusal.ts';
import { ownCookie } from './cookies.ts';
import { isSame } from './same.ts';

const SESSION_COOKIE = 'voltdesk_session';
const XSRF_COOKIE = 'XSRF-TOKEN';
const SESSION_BYTES = 32;

/**
 * Seconds. Without Max-Age the cookie is lost when the browser is killed, and the first change of the queue would be
 * refused. A tablet may be away for weeks.
 */
const MAX_AGE = 30 * 24 * 60 * 60;

/** Signs the anti-forgery value and creates sessions. */
export interface Seal {
  readonly secret: Buffer;
  readonly randomBytes: (count: number) => Buffer;
}

/**
 * Anti-forgery as the contract specifies it: a readable cookie whose value is sent back as a header with every POST. The
 * value is bound to a cookie that scripts cannot read. Neither authenticates anyone; only the bearer token does. Applies to
 * every route of this scope.
 */
export function guardAgainstForgery(app: FastifyInstance, seal: Seal): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!isRead(request)) {
      assertOwnSite(request);
      assertToken(seal, request);
    }
    const isPolled = request.routeOptions.config?.isPolled === true;
    if (!isPolled || sessionOf(request) === undefined) renew(seal, request, reply);
  });
}

/** Sets both cookies and keeps the request's session. Also used for the page itself. */
export function renew(seal: Seal, request: FastifyRequest, reply: FastifyReply): void {
  const session = sessionOf(request) ?? seal.randomBytes(SESSION_BYTES).toString('base64url');
  const options = { path: '/', sameSite: 'lax', maxAge: MAX_AGE, secure: request.protocol === 'https' } as const;
  reply.setCookie(ownCookie(request, SESSION_COOKIE), session, { ...options, httpOnly: true });
  reply.setCookie(XSRF_COOKIE, valueFor(seal, session), options);
}

/** Rejects requests from other sites, by the fetch metadata that browsers send (https://web.dev/articles/fetch-metadata). */
function assertOwnSite(request: FastifyRequest): void {
  const site = request.headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  throw new Refusal(403, { message: 'This request came from another site.', code: 'cross-site' });
}

function assertToken(seal: Seal, request: FastifyRequest): void {
  const session = sessionOf(request);
  const sent = request.headers['x-xsrf-token'];
  if (session !== undefined && typeof sent === 'string' && isSame(sent, valueFor(seal, session))) return;
  throw new Refusal(419, { message: 'CSRF token mismatch.' });
}

/** Returns the value of a session. Every response renews the cookie, so a signature is cached for a while. */
function valueFor({ secret }: Seal, session: string): string {
  const values = signed.get(secret) ?? new Map<string, string>();
  signed.set(secret, values);
  if (values.size >= MOST_SIGNED) values.clear();
  const value = values.get(session) ?? createHmac('sha256', secret).update(session).digest('base64url');
  values.set(session, value);
  return value;
}

/** Maximum number of cached signatures. Bounds the memory that strangers can fill. */
const MOST_SIGNED = 1000;
const signed = new WeakMap<Buffer, Map<string, string>>();

/**
 * The first complete session in the request's cookies. A truncated one may precede it: Chromium accepts a response that was
 * cut off within its headers, and stores the partial cookie under the path of the request.
 */
function sessionOf(request: FastifyRequest): string | undefined {
  const whole = new RegExp(`(?:^|; ?)${ownCookie(request, SESSION_COOKIE)}=([\\w-]{43})(?=;|$)`);
  return whole.exec(request.headers.cookie ?? '')?.[1];
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}
