import { createHmac } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import { ownCookie } from './cookies.ts';
import { isSame } from './same.ts';

const SESSION_COOKIE = 'voltdesk_session';
const XSRF_COOKIE = 'XSRF-TOKEN';
const SESSION_BYTES = 32;

/**
 * In seconds. Without Max-Age the cookie is gone after the browser was killed, and the first change of the queue would be
 * refused; a tablet may be away for weeks.
 */
const MAX_AGE = 30 * 24 * 60 * 60;

/** What signs the anti-forgery value, and makes sessions. */
export interface Seal {
  readonly secret: Buffer;
  readonly randomBytes: (count: number) => Buffer;
}

/**
 * Anti-forgery as the contract has it: a readable cookie whose value comes back as a header with every POST. The value
 * is bound to a cookie that scripts cannot read. Neither signs anyone in: only the bearer token does. For every route of
 * this scope.
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

/** Sets both cookies, keeping the session that the request came with. Also for the page itself. */
export function renew(seal: Seal, request: FastifyRequest, reply: FastifyReply): void {
  const session = sessionOf(request) ?? seal.randomBytes(SESSION_BYTES).toString('base64url');
  const options = { path: '/', sameSite: 'lax', maxAge: MAX_AGE, secure: request.protocol === 'https' } as const;
  reply.setCookie(ownCookie(request, SESSION_COOKIE), session, { ...options, httpOnly: true });
  reply.setCookie(XSRF_COOKIE, valueFor(seal, session), options);
}

/** Browsers say where a request began; another site has no business here (https://web.dev/articles/fetch-metadata). */
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

/** Every answer carries the value anew: it is signed once for a while. */
function valueFor({ secret }: Seal, session: string): string {
  const values = signed.get(secret) ?? new Map<string, string>();
  signed.set(secret, values);
  if (values.size >= MOST_SIGNED) values.clear();
  const value = values.get(session) ?? createHmac('sha256', secret).update(session).digest('base64url');
  values.set(session, value);
  return value;
}

/** Sessions whose values are known at a time: this bounds what strangers can fill. */
const MOST_SIGNED = 1000;
const signed = new WeakMap<Buffer, Map<string, string>>();

/**
 * The first whole session in the request's cookies. There may be a stump before it: Chromium takes an answer that was cut
 * within its head for a whole one, and keeps what it has of the cookie under the path of the request.
 */
function sessionOf(request: FastifyRequest): string | undefined {
  const whole = new RegExp(`(?:^|; ?)${ownCookie(request, SESSION_COOKIE)}=([\\w-]{43})(?=;|$)`);
  return whole.exec(request.headers.cookie ?? '')?.[1];
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}
