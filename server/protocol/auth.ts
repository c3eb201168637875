import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FACTOR_ASKED } from '../../src/domain/protocol/second-factor.ts';
import type { FieldErrors } from '../../src/domain/validate.ts';
import { senderOf } from '../security/session.ts';
import { formOf, refuseMissing } from './submitted.ts';
import { invalid } from '../errors/refusal.ts';
import { audit, typedAddress } from '../security/audit.ts';
import { newPasswordErrors } from '../security/new-password.ts';
import { knownDevice } from '../security/known-device.ts';
import { visitorOf } from '../security/visitor.ts';
import { type Attempts, type Limit, takeTry } from '../shared/attempts.ts';
import type { Passwords } from '../security/passwords.ts';
import { completeSignIn, publicUser, type SignInDesk } from './complete-sign-in.ts';
import type { BeginSecondStep } from './second-step.ts';

/** Failed sign-ins per minute: per address and account, per address, and per account from unknown devices. */
const TRIES_PER_ACCOUNT = 5;
const TRIES_PER_ADDRESS = 20;
const TRIES_OF_STRANGERS = 10;

/** Dependencies of sign-in. */
interface Desk extends SignInDesk {
  readonly passwords: Passwords;
  readonly attempts: Attempts;
  readonly beginSecondStep: BeginSecondStep;
  /** Names of this installation, which make weak passwords. */
  readonly ownWords: readonly string[];
}

/** Sign-in, sign-out, the current user, and the change of a password. */
export function authRoutes(app: FastifyInstance, desk: Desk): void {
  app.post('/api/auth/login', { config: { open: true } }, (request, reply) => signIn(desk, request, reply));
  app.get('/api/user', async (request) => publicUser(await desk.accounts.byId(senderOf(request).user.id)));
  app.post('/api/logout', async (request, reply) => {
    // clears the browser's HTTP cache of lists and photos; the app removes its own copies itself, even offline
    reply.header('Clear-Site-Data', '"cache"');
    const { user, tokenHash } = senderOf(request);
    await desk.accounts.endToken(tokenHash);
    audit(request, 'signed out', user.email);
    return { message: 'Successfully Logged Out' };
  });
  app.post('/api/change-password', (request, reply) => changePassword(desk, request, reply));
}

async function signIn(desk: Desk, request: FastifyRequest, reply: FastifyReply) {
  const { texts } = formOf(request);
  const email = texts.get('email')?.trim() ?? '';
  const password = texts.get('password') ?? '';
  refuseMissing({ email, password });
  const device = knownDevice(request, desk.secret, email);
  // Counted before the password is checked, so that parallel attempts cannot bypass the limit.
  const limits = limitsFor(email.toLowerCase(), visitorOf(request.ip), device);
  await takeTry(desk.attempts, limits);
  const user = await desk.accounts.byEmail(email);
  const isRight = await desk.passwords.verify(password, user?.password_hash, device !== undefined);
  if (!isRight || user === undefined) {
    audit(request, 'sign-in refused', user?.email ?? typedAddress(email));
    throw invalid({ email: ['These credentials do not match our records.'] });
  }
  await desk.attempts.refund(limits);
  const asked = await desk.beginSecondStep(request, user);
  if (asked !== undefined) return reply.code(FACTOR_ASKED).send(asked);
  return completeSignIn(desk, request, reply, { user, event: 'signed in' });
}

/** The rate limits of a sign-in. A known device has its own limit, which strangers cannot exhaust. */
export function limitsFor(account: string, visitor: string, device: string | undefined): readonly Limit[] {
  if (device !== undefined) return [{ key: `device ${device}`, most: TRIES_PER_ACCOUNT }];
  return [
    { key: `${visitor} ${account}`, most: TRIES_PER_ACCOUNT },
    { key: visitor, most: TRIES_PER_ADDRESS },
    { key: `account ${account}`, most: TRIES_OF_STRANGERS },
  ];
}

async function changePassword(desk: Desk, request: FastifyRequest, reply: FastifyReply) {
  const { user: sender, tokenHash } = senderOf(request);
  const user = await desk.accounts.byId(sender.id);
  const { texts } = formOf(request);
  const previous = texts.get('previous_password') ?? '';
  const next = texts.get('new_password') ?? '';
  const confirmation = texts.get('new_password_confirmation') ?? '';
  refuseMissing({ previous_password: previous, new_password: next });
  const limits = [{ key: `password of ${user.id}`, most: TRIES_PER_ACCOUNT }];
  await takeTry(desk.attempts, limits);
  const errors: FieldErrors = {
    ...((await desk.passwords.verify(previous, user.password_hash, true))
      ? {}
      : { previous_password: ['The password is incorrect.'] }),
    ...(await newPasswordErrors(desk.ownWords, user, { next, confirmation })),
  };
  if (Object.keys(errors).length > 0) throw invalid(errors);
  await desk.accounts.setPassword(user.id, next, tokenHash);
  audit(request, 'password changed', user.email);
  await desk.attempts.refund(limits);
  return reply.send({ message: 'Password Changed Successfully' });
}
