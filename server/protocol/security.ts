import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  type Ceremony,
  type FactorAdded,
  type NewAuthenticator,
  SECURITY_PATH,
} from '../../src/domain/protocol/second-factor.ts';
import { invalid, Refusal } from '../errors/refusal.ts';
import { type Attempts, takeTry } from '../shared/attempts.ts';
import { audit } from '../security/audit.ts';
import { deviceName } from '../security/device-name.ts';
import { newSecret, setUpAddress, stepOf } from '../security/one-time-codes.ts';
import { creationOptions, madePasskey, siteOf } from '../security/passkeys.ts';
import { newRecoveryCodes } from '../security/recovery-codes.ts';
import { senderOf } from '../security/session.ts';
import type { Tickets } from '../shared/tickets.ts';
import type { Settings } from '../settings/settings.ts';
import type { Shared } from '../shared/shared.ts';
import type { Factors } from '../stores/factors.ts';
import type { Accounts } from '../stores/store.ts';
import { assertName } from './people.ts';
import { formOf, refuseMissing } from './submitted.ts';

/** Code attempts per minute during the set-up of an authenticator app. */
const TRIES = 10;
/** Maximum number of passkeys per person. */
const MOST_PASSKEYS = 20;

/** A factor being set up, and by whom. */
interface Begun {
  readonly userId: number;
  /** The challenge of a passkey, or the secret of an app. */
  readonly secret: string;
}

/** Dependencies of setting up second factors. */
export interface SecurityDesk {
  readonly accounts: Accounts;
  readonly factors: Factors;
  readonly attempts: Attempts;
  readonly tickets: Shared['tickets'];
  readonly settings: Settings;
  readonly randomBytes: (count: number) => Buffer;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

interface World extends SecurityDesk {
  readonly passkeys: Tickets<Begun>;
  readonly apps: Tickets<Begun>;
}

type ById = { Params: { id: string } };

/** Routes for one's own second factors: list, add, rename and remove. What adds or removes one requires a recent sign-in (fresh.ts). */
export function securityRoutes(app: FastifyInstance, desk: SecurityDesk): void {
  const world: World = { ...desk, passkeys: desk.tickets('passkey'), apps: desk.tickets('app') };
  const { factors } = world;
  app.get(SECURITY_PATH, (request) => factors.of(senderOf(request).user.id));
  app.post(`${SECURITY_PATH}/passkeys/options`, (request) => beginPasskey(world, request, senderOf(request).user.id));
  app.post(`${SECURITY_PATH}/passkeys`, (request) => addPasskey(world, request));
  app.post<ById>(`${SECURITY_PATH}/passkeys/:id/rename`, async (request) => {
    const name = nameIn(request);
    await factors.renamePasskey(senderOf(request).user.id, request.params.id, name);
    return { message: `Renamed to ${name}` };
  });
  app.post<ById>(`${SECURITY_PATH}/passkeys/:id/remove`, async (request) => {
    const { user } = senderOf(request);
    await factors.removePasskey(user.id, request.params.id);
    audit(request, 'passkey removed', user.email);
    return { message: 'Passkey removed' };
  });
  app.post(`${SECURITY_PATH}/authenticator`, (request) => beginApp(world, senderOf(request).user.id));
  app.post(`${SECURITY_PATH}/authenticator/take`, (request) => addApp(world, request));
  app.post(`${SECURITY_PATH}/authenticator/remove`, async (request) => {
    const { user } = senderOf(request);
    await factors.removeAuthenticator(user.id);
    audit(request, 'authenticator app removed', user.email);
    return { message: 'Authenticator app removed' };
  });
  app.post(`${SECURITY_PATH}/recovery-codes`, async (request) => {
    const { user } = senderOf(request);
    const { passkeys, authenticatorSince } = await factors.of(user.id);
    if (passkeys.length === 0 && authenticatorSince === undefined) throw nothingToRecover();
    return { message: 'New recovery codes created. The old ones no longer work.', ...(await codesFor(world, request)) };
  });
}

async function beginPasskey(world: World, request: FastifyRequest, userId: number): Promise<Ceremony> {
  const known = await world.factors.passkeysOf(userId);
  if (known.length >= MOST_PASSKEYS)
    throw invalid({ passkey: [`There are already ${MOST_PASSKEYS}. Remove one first.`] });
  const user = await world.accounts.byId(userId);
  const options = await creationOptions(siteOf(request, world.settings.brandLabel), user, known);
  return { ticket: await world.passkeys.give({ userId, secret: options.challenge }), options };
}

async function addPasskey(world: World, request: FastifyRequest): Promise<FactorAdded> {
  const { user } = senderOf(request);
  const begun = await world.passkeys.take(formOf(request).texts.get('ticket') ?? '');
  if (begun?.userId !== user.id) throw tookTooLong();
  const { response } = (request.body ?? {}) as { response?: unknown };
  const made = await madePasskey(siteOf(request, world.settings.brandLabel), begun.secret, response);
  if (made === undefined) throw invalid({ passkey: ['This passkey could not be checked. Try again.'] });
  const name = deviceName(request.headers['user-agent'] ?? '');
  await world.factors.addPasskey({ ...made, userId: user.id, name });
  audit(request, 'passkey added', user.email);
  return { message: 'Passkey added', ...(await firstCodes(world, request)) };
}

async function beginApp(world: World, userId: number): Promise<NewAuthenticator> {
  const { email } = await world.accounts.byId(userId);
  const secret = newSecret(world.randomBytes);
  const address = setUpAddress(secret, { issuer: world.settings.brandLabel, account: email });
  return { ticket: await world.apps.give({ userId, secret }), secret, address };
}

async function addApp(world: World, request: FastifyRequest): Promise<FactorAdded> {
  const { user } = senderOf(request);
  const { texts } = formOf(request);
  const [ticket, code] = [texts.get('ticket') ?? '', (texts.get('code') ?? '').replaceAll(/\s/g, '')];
  refuseMissing({ code });
  await takeTry(world.attempts, [{ key: `app of ${user.id}`, most: TRIES }]);
  const begun = await world.apps.look(ticket);
  if (begun?.userId !== user.id) throw tookTooLong();
  const step = stepOf(begun.secret, code, world.now());
  if (step === undefined) throw invalid({ code: ['This code is wrong. Enter the one the app shows now.'] });
  await world.apps.take(ticket);
  await world.factors.setAuthenticator(user.id, { secret: begun.secret, step });
  audit(request, 'authenticator app added', user.email);
  return { message: 'Authenticator app added', ...(await firstCodes(world, request)) };
}

/** Creates recovery codes along with the first factor. */
async function firstCodes(world: World, request: FastifyRequest) {
  const { codesLeft } = await world.factors.of(senderOf(request).user.id);
  return codesLeft > 0 ? {} : codesFor(world, request);
}

async function codesFor({ factors, randomBytes }: World, request: FastifyRequest) {
  const { user } = senderOf(request);
  const recoveryCodes = newRecoveryCodes(randomBytes);
  await factors.setRecoveryCodes(user.id, recoveryCodes);
  audit(request, 'recovery codes made', user.email);
  return { recoveryCodes };
}

function nameIn(request: FastifyRequest): string {
  const name = formOf(request).texts.get('name')?.trim() ?? '';
  refuseMissing({ name });
  assertName(name);
  return name;
}

function tookTooLong(): Refusal {
  return new Refusal(422, { message: 'This took too long. Start over.', code: 'ticket-gone' });
}

function nothingToRecover(): Refusal {
  const message = 'Set up a passkey or an authenticator app first.';
  return new Refusal(422, { message, code: 'no-factor' });
}
