import { createHmac, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ownCookie } from './cookies.ts';
import { isSame } from './same.ts';

/** In seconds: a year. */
const MAX_AGE = 365 * 24 * 60 * 60;
const NONCE_BYTES = 16;
const COOKIE = 'voltdesk_device';

/**
 * A browser in which somebody has signed in before keeps a cookie that says so, for that account. It signs nobody in; its tries
 * are only counted apart from those of strangers, so that a flood of guesses does not lock the owner of an account out
 * (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies).
 */
export function rememberDevice(
  request: FastifyRequest,
  reply: FastifyReply,
  of: { secret: Buffer; email: string },
): void {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url');
  const secure = request.protocol === 'https';
  const options = { path: '/', sameSite: 'strict', httpOnly: true, maxAge: MAX_AGE, secure } as const;
  reply.setCookie(ownCookie(request, COOKIE), `${nonce}.${signature(of.secret, of.email, nonce)}`, options);
}

/** What tells a known device of that account from others; undefined for strangers. */
export function knownDevice(request: FastifyRequest, secret: Buffer, email: string): string | undefined {
  const [nonce = '', signed = ''] = (request.cookies[ownCookie(request, COOKIE)] ?? '').split('.');
  return isSame(signed, signature(secret, email, nonce)) ? nonce : undefined;
}

function signature(secret: Buffer, email: string, nonce: string): string {
  return createHmac('sha256', secret).update(`device\n${email.toLowerCase()}\n${nonce}`).digest('base64url');
}
