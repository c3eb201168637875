import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { limitsFor } from '../../protocol/auth.ts';
import { formOf } from '../../protocol/submitted.ts';
import { type Attempts, takeTry } from '../../shared/attempts.ts';
import { audit, typedAddress } from '../../security/audit.ts';
import { knownDevice, rememberDevice } from '../../security/known-device.ts';
import { credentialsOf } from '../../security/session.ts';
import { visitorOf } from '../../security/visitor.ts';
import { asRefusal, away, type BackEnd, jsonIn } from './back-end.ts';
import { NotSentError } from './transport.ts';

/** The dependencies of sign-in at an existing back end. */
export interface SignInDesk {
  readonly backEnd: BackEnd;
  readonly attempts: Attempts;
  /** Signs the cookie of a known device. */
  readonly secret: Buffer;
}

/** Signs in at the back end under this server's own rate limits, because a stock back end may have none. */
export function signInRoute(app: FastifyInstance, desk: SignInDesk): void {
  app.post('/api/auth/login', { config: { open: true } }, (request, reply) => signIn(desk, request, reply));
}

async function signIn({ backEnd, attempts, secret }: SignInDesk, request: FastifyRequest, reply: FastifyReply) {
  const { texts } = formOf(request);
  const email = texts.get('email')?.trim() ?? '';
  const device = knownDevice(request, secret, email);
  const limits = limitsFor(plainLetters(email), visitorOf(request.ip), device);
  await takeTry(attempts, limits);
  const answer = await backEnd.signIn(credentialsOf(request), texts, request.ip).catch(async (error: unknown) => {
    await attempts.refund(limits);
    throw away(error instanceof NotSentError);
  });
  const isSignedIn = answer.status === 200 && jsonIn(answer) !== undefined;
  if (isSignedIn || saysNothing(answer.status)) await attempts.refund(limits);
  if (!isSignedIn && !saysNothing(answer.status)) audit(request, 'sign-in refused', typedAddress(email));
  if (!isSignedIn) throw asRefusal(answer);
  audit(request, 'signed in', email);
  rememberDevice(request, reply, { secret, email });
  for (const cookie of answer.cookies) reply.header('set-cookie', cookie);
  return reply.type('application/json').send(answer.body);
}

/**
 * Spells an address like all that a back end's database may take for the same: many compare without case, accents and
 * invisible characters (https://dev.mysql.com/doc/refman/8.4/en/charset-unicode-sets.html).
 */
function plainLetters(email: string): string {
  const letters = email.normalize('NFKD').replaceAll(/[\p{M}\p{C}]/gu, '');
  // to upper case first: it has one letter for ſ and s, ß and ss
  return letters.toUpperCase().toLowerCase().trim();
}

/** True for an answer that is not about the password: a stale anti-forgery cookie, or a busy or unreachable back end. */
function saysNothing(status: number): boolean {
  return status === 419 || status === 429 || status >= 500;
}
