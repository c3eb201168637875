import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requiredText, type FieldErrors } from '../../src/domain/validate.ts';
import { senderOf } from '../security/session.ts';
import { formOf } from './submitted.ts';
import { invalid, tooMany } from '../refusal.ts';
import { knownDevice, rememberDevice } from '../security/known-device.ts';
import { passwordProblem } from '../security/password-rules.ts';
import { visitorOf } from '../security/visitor.ts';
import type { Attempts, Limit } from '../security/attempts.ts';
import type { Passwords } from '../security/passwords.ts';
import type { Accounts, User } from '../stores/store.ts';

/** Failed sign-ins within a minute: per address and account, per address, and per account from wherever strangers try. */
const TRIES_PER_ACCOUNT = 5;
const TRIES_PER_ADDRESS = 20;
const TRIES_OF_STRANGERS = 10;
/** Characters of a name that somebody typed, in the log. */
const LONGEST_WHO = 100;

/** What signing in works with. */
interface Desk {
  readonly accounts: Accounts;
  readonly passwords: Passwords;
  readonly attempts: Attempts;
  /** Signs what a known device keeps. */
  readonly secret: Buffer;
  /** Names of this installation, which make poor passwords. */
  readonly ownWords: readonly string[];
}

/** Sign-in, sign-out, the current user, and the change of a password. */
export function authRoutes(app: FastifyInstance, desk: Desk): void {
  app.post('/api/auth/login', { config: { open: true } }, (request, reply) => signIn(desk, request, reply));
  app.get('/api/user', async (request, reply) => {
    reply.header('Cache-Control', 'no-store');
    return publicUser(await desk.accounts.byId(senderOf(request).user.id));
  });
  app.post('/api/logout', async (request) => {
    const { user, tokenHash } = senderOf(request);
    await desk.accounts.endToken(tokenHash);
    audit(request, 'signed out', user.name);
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
  // Taken before the password is looked at, so that a thousand tries at once are no way around the limit.
  const limits = limitsFor(email.toLowerCase(), visitorOf(request.ip), device);
  takeTry(desk, limits);
  const user = await desk.accounts.byEmail(email);
  const isRight = await desk.passwords.verify(password, user?.password_hash, device !== undefined);
  if (!isRight || user === undefined) {
    audit(request, 'sign-in refused', email);
    throw invalid({ email: ['These credentials do not match our records.'] });
  }
  audit(request, 'signed in', email);
  desk.attempts.giveBack(limits);
  rememberDevice(request, reply, { secret: desk.secret, email });
  return { user: publicUser(user), token: await desk.accounts.issueToken(user.id) };
}

/** A device that is known for the account has a count of its own, which no stranger can use up. */
function limitsFor(account: string, visitor: string, device: string | undefined): readonly Limit[] {
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
  takeTry(desk, limits);
  const errors: FieldErrors = {
    ...((await desk.passwords.verify(previous, user.password_hash, true))
      ? {}
      : { previous_password: ['The password is incorrect.'] }),
    ...(await newPasswordErrors(desk, user, next, confirmation)),
  };
  if (Object.keys(errors).length > 0) throw invalid(errors);
  await desk.accounts.setPassword(user.id, next, tokenHash);
  audit(request, 'password changed', user.email);
  desk.attempts.giveBack(limits);
  return reply.send({ message: 'Password Changed Successfully' });
}

/** The confirmation's error stands under the new password, as in a stock Laravel back end. */
async function newPasswordErrors(desk: Desk, user: User, next: string, confirmation: string): Promise<FieldErrors> {
  const ownName = isOwnName(next, user) ? 'The new password must not be your email or name.' : undefined;
  const problem = ownName ?? (await passwordProblem(next, [user.email, user.name, ...desk.ownWords]));
  const texts = [
    ...(problem === undefined ? [] : [problem]),
    ...(next === confirmation ? [] : ['The new password confirmation does not match.']),
  ];
  return texts.length === 0 ? {} : { new_password: texts };
}

function isOwnName(password: string, user: User): boolean {
  return [user.email, user.name].some((own) => own.toLowerCase() === password.toLowerCase());
}

/** A line for whoever asks later who came in, from where, and who tried. Never with a password. */
function audit(request: FastifyRequest, event: string, who: string): void {
  request.log.info({ audit: event, who: who.slice(0, LONGEST_WHO), address: request.ip }, event);
}

function refuseMissing(texts: Readonly<Record<string, string>>): void {
  const missing = Object.entries(texts).filter(([, text]) => text === '');
  if (missing.length > 0) throw invalid(Object.fromEntries(missing.map(([name]) => [name, [requiredText(name)]])));
}

function takeTry(desk: Desk, limits: readonly Limit[]): void {
  const seconds = desk.attempts.take(limits);
  if (seconds !== undefined) throw tooMany(seconds);
}

function publicUser({ id, name, email, created_at, updated_at }: User) {
  return { id, name, email, created_at, updated_at };
}
