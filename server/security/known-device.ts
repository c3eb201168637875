import { createHmac, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ownCookie } from './cookies.ts';
import { isSame } from './same.ts';

/** One year, in seconds. */
const MAX_AGE = 365 * 24 * 60 * 60;
const NONCE_BYTES = 16;
const COOKIE = 'voltdesk_device';

/**
 * Stores a cookie in a browser where someone has signed in to an account. It authenticates nobody. Its attempts are only
 * counted apart from those of strangers, so that a flood of guesses does not lock out the account's owner
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

/** Identifies a known device of the account. Undefined for strangers. */
export function knownDevice(request: FastifyRequest, secret: Buffer, email: string): string | undefined {
  const [nonce = '', signed = ''] = (request.cookies[ownCookie(request, COOKIE)] ?? '').split('.');
  return isSame(signed, signature(secret, email, nonce)) ? nonce : undefined;
}

function signature(secret: Buffer, email: string, nonce: string): string {
  return createHmac('sha256', secret).update(`device\n${email.toLowerCase()}\n${nonce}`).digest('base64url');
}
