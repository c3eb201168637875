import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requiredText, type FieldErrors } from '../../src/domain/validate.ts';
import type { StoredUser } from '../stores/sqlite/tables.ts';
import { senderOf } from '../security/session.ts';
import { formOf } from './submitted.ts';
import { invalid, tooMany } from '../refusal.ts';
import type { Limit } from '../security/attempts.ts';
import { passwordProblem } from '../security/password-rules.ts';
import { endToken, issueToken } from '../stores/sqlite/tokens.ts';
import { setPassword, userByEmail } from '../stores/sqlite/users.ts';
import { visitorOf } from '../security/visitor.ts';
import { type Services, timestamp } from '../services.ts';

/** Failed sign-ins within a minute, per address and account, and per address. */
const TRIES_PER_ACCOUNT = 5;
const TRIES_PER_ADDRESS = 20;

/** Sign-in, sign-out, the current user, and the change of a password. */
export function authRoutes(app: FastifyInstance, services: Services): void {
  app.post('/api/auth/login', { config: { open: true } }, (request) => signIn(services, request));
  app.get('/api/user', async (request, reply) => {
    reply.header('Cache-Control', 'no-store');
    return publicUser(senderOf(request).user);
  });
  app.post('/api/logout', async (request) => {
    await endToken(services.db, senderOf(request).tokenHash);
    return { message: 'Successfully Logged Out' };
  });
  app.post('/api/change-password', (request, reply) => changePassword(services, request, reply));
}

async function signIn(services: Services, request: FastifyRequest) {
  const { texts } = formOf(request);
  const email = texts.get('email')?.trim() ?? '';
  const password = texts.get('password') ?? '';
  refuseMissing({ email, password });
  // Taken before the password is looked at, so that a thousand tries at once are no way around the limit.
  const visitor = visitorOf(request.ip);
  const limits = [
    { key: `${visitor} ${email.toLowerCase()}`, most: TRIES_PER_ACCOUNT },
    { key: visitor, most: TRIES_PER_ADDRESS },
  ];
  takeTry(services, limits);
  const user = await userByEmail(services.db, email);
  if (!(await services.passwords.verify(password, user?.password_hash)) || user === undefined) {
    throw invalid({ email: ['These credentials do not match our records.'] });
  }
  services.attempts.giveBack(limits);
  return { user: publicUser(user), token: await issueToken(services, user.id) };
}

async function changePassword(services: Services, request: FastifyRequest, reply: FastifyReply) {
  const { user, tokenHash } = senderOf(request);
  const { texts } = formOf(request);
  const previous = texts.get('previous_password') ?? '';
  const next = texts.get('new_password') ?? '';
  const confirmation = texts.get('new_password_confirmation') ?? '';
  refuseMissing({ previous_password: previous, new_password: next });
  const limits = [{ key: `password of ${user.id}`, most: TRIES_PER_ACCOUNT }];
  takeTry(services, limits);
  const errors: FieldErrors = {
    ...((await services.passwords.verify(previous, user.password_hash))
      ? {}
      : { previous_password: ['The password is incorrect.'] }),
    ...newPasswordErrors(next, confirmation, user),
  };
  if (Object.keys(errors).length > 0) throw invalid(errors);
  await setPassword(services, user.id, next, { keepToken: tokenHash, at: timestamp(services) });
  services.attempts.giveBack(limits);
  return reply.send({ message: 'Password Changed Successfully' });
}

/** The confirmation's error stands under the new password, as in a stock Laravel back end. */
function newPasswordErrors(next: string, confirmation: string, user: StoredUser): FieldErrors {
  const problem =
    passwordProblem(next) ?? (isOwnName(next, user) ? 'The new password must not be your email or name.' : undefined);
  const texts = [
    ...(problem === undefined ? [] : [problem]),
    ...(next === confirmation ? [] : ['The new password confirmation does not match.']),
  ];
  return texts.length === 0 ? {} : { new_password: texts };
}

function isOwnName(password: string, user: StoredUser): boolean {
  return [user.email, user.name].some((own) => own.toLowerCase() === password.toLowerCase());
}

function refuseMissing(texts: Readonly<Record<string, string>>): void {
  const missing = Object.entries(texts).filter(([, text]) => text === '');
  if (missing.length > 0) throw invalid(Object.fromEntries(missing.map(([name]) => [name, [requiredText(name)]])));
}

function takeTry(services: Services, limits: readonly Limit[]): void {
  const seconds = services.attempts.take(limits);
  if (seconds !== undefined) throw tooMany(seconds);
}

function publicUser({ id, name, email, created_at, updated_at }: StoredUser) {
  return { id, name, email, created_at, updated_at };
}
