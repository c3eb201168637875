import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FactorAsked, PASSKEY_SIGN_IN_PATH, SECOND_STEP_PATH } from '../../src/domain/protocol/second-factor.ts';
import { invalid, Refusal, tooMany } from '../errors/refusal.ts';
import { takeTry } from '../shared/attempts.ts';
import { audit } from '../security/audit.ts';
import { restFor, stepOf } from '../security/one-time-codes.ts';
import { answeredBy, requestOptions, siteOf } from '../security/passkeys.ts';
import { recoveryCodeIn } from '../security/recovery-codes.ts';
import type { Tickets } from '../shared/tickets.ts';
import { visitorOf } from '../security/visitor.ts';
import type { StoredPasskey } from '../stores/factors.ts';
import type { Account } from '../stores/store.ts';
import { completeSignIn, type SignInDesk } from './complete-sign-in.ts';
import type { SecurityDesk } from './security.ts';
import { formOf, refuseMissing } from './submitted.ts';

/** Attempts at a second factor per minute: per account and per address. */
const TRIES_PER_ACCOUNT = 5;
const TRIES_PER_ADDRESS = 20;

/** A sign-in with a correct password that waits for its second factor. */
interface PendingSignIn {
  readonly userId: number;
  /** Changing the password invalidates it. */
  readonly passwordHash: string;
}

/** A pending passkey request. */
interface AskedPasskey {
  readonly challenge: string;
  /** The sign-in it completes; absent for a sign-in by passkey alone. */
  readonly signIn?: string;
}

/** Dependencies of the second step. */
export type StepDesk = SignInDesk & SecurityDesk;

interface World extends StepDesk {
  readonly signIns: Tickets<PendingSignIn>;
  readonly asked: Tickets<AskedPasskey>;
}

/** Starts the second step: returns what to ask for, or undefined if the account has no second factor. */
export type BeginSecondStep = (request: FastifyRequest, user: Account) => Promise<FactorAsked | undefined>;

/** Routes of the second step and of sign-in by passkey. Returns the function that starts that step. */
export function secondStepRoutes(app: FastifyInstance, desk: StepDesk): BeginSecondStep {
  const world: World = { ...desk, signIns: desk.tickets('sign-in'), asked: desk.tickets('asked passkey') };
  const open = { config: { open: true } };
  app.post(SECOND_STEP_PATH, open, (request, reply) => takeCode(world, request, reply));
  app.post(`${PASSKEY_SIGN_IN_PATH}/options`, open, (request) => askForPasskey(world, request));
  app.post(PASSKEY_SIGN_IN_PATH, open, (request, reply) => takePasskey(world, request, reply));
  return (request, user) => begin(world, request, user);
}

async function begin({ factors, signIns }: World, request: FastifyRequest, user: Account) {
  const { passkeys, authenticatorSince } = await factors.of(user.id);
  const [passkey, code] = [passkeys.length > 0, authenticatorSince !== undefined];
  if (!passkey && !code) return undefined;
  audit(request, 'second factor asked for', user.email);
  const ticket = await signIns.give({ userId: user.id, passwordHash: user.password_hash });
  return { message: 'One more step.', ticket, passkey, code };
}

async function takeCode(world: World, request: FastifyRequest, reply: FastifyReply) {
  const { texts } = formOf(request);
  const [ticket, code] = [texts.get('ticket') ?? '', texts.get('code')?.trim() ?? ''];
  refuseMissing({ code });
  await countVisitor(world, request);
  const user = await userOf(world, ticket);
  const limits = [{ key: `second factor of ${user.id}`, most: TRIES_PER_ACCOUNT }];
  await takeTry(world.attempts, limits);
  const event = await eventOfCode(world, user.id, code);
  if (event === undefined) {
    audit(request, 'second factor refused', user.email);
    throw invalid({ code: ['This code is wrong or has already been used.'] });
  }
  await consume(world, ticket);
  await world.attempts.refund(limits);
  return completeSignIn(world, request, reply, { user, event });
}

/** Consumes a correct code and returns the audit event. */
async function eventOfCode(world: World, userId: number, code: string): Promise<string | undefined> {
  const digits = code.replaceAll(/\s/g, '');
  if (/^\d{6}$/.test(digits)) {
    return (await isRightNow(world, userId, digits)) ? 'signed in with a code' : undefined;
  }
  const recoveryCode = recoveryCodeIn(code);
  if (recoveryCode === undefined || !(await world.factors.useRecoveryCode(userId, recoveryCode))) return undefined;
  return 'signed in with a recovery code';
}

async function isRightNow({ factors, now }: World, userId: number, digits: string): Promise<boolean> {
  const app = await factors.authenticator(userId);
  if (app === undefined) return false;
  const rest = restFor(app, now());
  if (rest !== undefined) throw tooMany(rest);
  const step = stepOf(app.secret, digits, now());
  if (step !== undefined && (await factors.useStep(userId, step))) return true;
  await factors.noteWrongCode(userId);
  return false;
}

async function askForPasskey(world: World, request: FastifyRequest) {
  await countVisitor(world, request);
  const signIn = formOf(request).texts.get('ticket');
  const known = signIn === undefined ? [] : await world.factors.passkeysOf((await userOf(world, signIn)).id);
  if (signIn !== undefined && known.length === 0) throw refusedPasskey();
  const options = await requestOptions(siteOf(request, world.settings.brandLabel), known);
  const { challenge } = options;
  return { ticket: await world.asked.give({ challenge, ...(signIn === undefined ? {} : { signIn }) }), options };
}

async function takePasskey(world: World, request: FastifyRequest, reply: FastifyReply) {
  await countVisitor(world, request);
  const asked = await world.asked.take(formOf(request).texts.get('ticket') ?? '');
  if (asked === undefined) throw tookTooLong();
  const { response } = (request.body ?? {}) as { response?: { id?: unknown } };
  const passkey = await world.factors.passkey(typeof response?.id === 'string' ? response.id : '');
  const user = asked.signIn === undefined ? undefined : await userOf(world, asked.signIn);
  const isOwn = passkey !== undefined && (user === undefined || user.id === passkey.userId);
  if (!isOwn || !(await holds(world, request, passkey, { asked, response }))) {
    audit(request, 'passkey refused', user?.email ?? 'unknown');
    throw refusedPasskey();
  }
  if (asked.signIn !== undefined) await consume(world, asked.signIn);
  const event = 'signed in with a passkey';
  return completeSignIn(world, request, reply, { user: await world.accounts.byId(passkey.userId), event });
}

async function holds(
  { factors, settings }: World,
  request: FastifyRequest,
  passkey: StoredPasskey,
  { asked, response }: { readonly asked: AskedPasskey; readonly response: unknown },
): Promise<boolean> {
  const site = siteOf(request, settings.brandLabel);
  const isOnlyFactor = asked.signIn === undefined;
  const after = await answeredBy(site, passkey, { challenge: asked.challenge, response, isOnlyFactor });
  return after !== undefined && factors.passkeyUsed(passkey.id, { before: passkey.counter, after });
}

/** The user of a pending sign-in. Throws 422 if it has expired, is complete, or the account has changed since. */
async function userOf({ accounts, signIns }: World, ticket: string): Promise<Account> {
  const pending = await signIns.look(ticket);
  const user = pending && (await accounts.byId(pending.userId).catch(() => undefined));
  if (user === undefined || user.password_hash !== pending?.passwordHash) throw tookTooLong();
  return user;
}

/** Consumes a sign-in, so that two concurrent second steps cannot both succeed. */
async function consume({ signIns }: World, ticket: string): Promise<void> {
  if ((await signIns.take(ticket)) === undefined) throw tookTooLong();
}

function countVisitor({ attempts }: World, request: FastifyRequest): Promise<void> {
  return takeTry(attempts, [{ key: `second factor from ${visitorOf(request.ip)}`, most: TRIES_PER_ADDRESS }]);
}

function tookTooLong(): Refusal {
  return new Refusal(422, { message: 'This sign-in took too long. Start over.', code: 'ticket-gone' });
}

function refusedPasskey(): Refusal {
  return new Refusal(422, { message: 'This passkey was not accepted here.', code: 'passkey-refused' });
}
