import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isEmailAddress } from '../accounts/email-address.ts';
import { INVITATIONS_PATH, type MadeLink, PEOPLE_PATH, RESETS_PATH } from '../../src/domain/protocol/people.ts';
import { REQUIREMENT_PATH } from '../../src/domain/protocol/second-factor.ts';
import { isRole, ROLE_WORDS, type Role } from '../../src/domain/roles.ts';
import { type Letter, linkAddress, type SendMail } from '../accounts/mail.ts';
import { invalid, notFound } from '../errors/refusal.ts';
import { audit } from '../security/audit.ts';
import { senderOf } from '../security/session.ts';
import type { Settings } from '../settings/settings.ts';
import type { Factors } from '../stores/factors.ts';
import type { NewLink, People } from '../stores/people.ts';
import { idIn } from './ids.ts';
import { formOf, refuseMissing } from './submitted.ts';

/** Dependencies of managing people. */
interface Desk {
  readonly people: People;
  readonly factors: Factors;
  readonly settings: Settings;
  /** Undefined without a mail server. */
  readonly sendMail: SendMail | undefined;
}

type ById = { Params: { id: string } };

const LONGEST_NAME = 100;
const LONGEST_EMAIL = 254;

/** Routes for owners to manage administrators: list, invitations, roles, new passwords, sessions, removal. */
export function peopleRoutes(app: FastifyInstance, desk: Desk): void {
  const { people, factors } = desk;
  app.get(PEOPLE_PATH, () => people.list());
  app.post(INVITATIONS_PATH, (request) => invite(desk, request));
  app.post<ById>(`${INVITATIONS_PATH}/:id/withdraw`, async (request) => {
    const { email } = await people.withdraw(request.params.id);
    audit(request, 'invitation withdrawn', email);
    return { message: 'Invitation withdrawn' };
  });
  app.post<ById>(`${RESETS_PATH}/:id/withdraw`, async (request) => {
    const { email } = await people.withdrawReset(request.params.id);
    audit(request, 'password link withdrawn', email);
    return { message: 'Password link withdrawn' };
  });
  app.post<ById>(`${PEOPLE_PATH}/:id/role`, async (request) => {
    const role = roleIn(request);
    const { name, email } = await people.setRole(userIdOf(request), role);
    audit(request, `made ${role}`, email);
    return { message: `${name} is now ${article(role)}` };
  });
  app.post<ById>(`${PEOPLE_PATH}/:id/reset`, (request) => reset(desk, request));
  app.post<ById>(`${PEOPLE_PATH}/:id/end-sessions`, async (request) => {
    const { name, email } = await people.endSessions(userIdOf(request));
    audit(request, 'sessions ended', email);
    return { message: `Signed ${name} out everywhere` };
  });
  app.post<ById>(`${PEOPLE_PATH}/:id/reset-second-factor`, async (request) => {
    const id = userIdOf(request);
    if (id === senderOf(request).user.id) throw invalid({ id: ['Your own second factor is under Security.'] });
    const { name, email } = await factors.reset(id);
    audit(request, 'second factor reset', email);
    return { message: `${name} can now sign in with the password alone` };
  });
  app.post(REQUIREMENT_PATH, (request) => requireFactor(desk, request));
  app.post<ById>(`${PEOPLE_PATH}/:id/remove`, async (request) => {
    const id = userIdOf(request);
    if (id === senderOf(request).user.id) throw invalid({ id: ['Another owner has to remove you.'] });
    const { name, email } = await people.remove(id);
    audit(request, 'administrator removed', email);
    return { message: `Removed ${name}` };
  });
}

/** Requires a second factor of everyone. The owner must have one, so that nobody locks themselves out. */
async function requireFactor({ factors }: Desk, request: FastifyRequest) {
  const { user } = senderOf(request);
  const isRequired = formOf(request).texts.get('required') === 'yes';
  const { passkeys, authenticatorSince } = await factors.of(user.id);
  if (isRequired && passkeys.length === 0 && authenticatorSince === undefined)
    throw invalid({ required: ['Set up your own second factor first, under Security.'] });
  await factors.require(isRequired);
  audit(request, isRequired ? 'second factor required' : 'second factor not required any more', user.email);
  return { message: isRequired ? 'Everyone now needs a second factor' : 'A second factor is now optional' };
}

async function invite(desk: Desk, request: FastifyRequest): Promise<MadeLink> {
  const { texts } = formOf(request);
  const email = texts.get('email')?.trim() ?? '';
  const name = (texts.get('name')?.trim() ?? '') || (email.split('@')[0] ?? '');
  refuseMissing({ email });
  if (!isEmailAddress(email) || email.length > LONGEST_EMAIL)
    throw invalid({ email: ['The email must be a valid email address.'] });
  assertName(name);
  const link = await desk.people.invite({ email, name, role: roleIn(request) }, senderOf(request).user.id);
  audit(request, 'administrator invited', email);
  const { brandLabel } = desk.settings;
  return offer(desk, request, link, {
    subject: `Your invitation to ${brandLabel}`,
    begin: `${senderOf(request).user.name} invites you to the back office of ${brandLabel}.`,
  });
}

async function reset(desk: Desk, request: FastifyRequest<ById>): Promise<MadeLink> {
  const id = userIdOf(request);
  // a change of one's own password asks for the present one
  if (id === senderOf(request).user.id) throw invalid({ id: ['Your own password is under Change Password.'] });
  const link = await desk.people.resetLink(id, senderOf(request).user.id);
  audit(request, 'password link made', link.email);
  const { brandLabel } = desk.settings;
  return offer(desk, request, link, {
    subject: `Your new password for ${brandLabel}`,
    begin: `${senderOf(request).user.name} lets you set a new password for the back office of ${brandLabel}.`,
  });
}

/** Returns the link to the owner and emails it if possible. A failed email is harmless: the owner has the link. */
async function offer(
  { settings, sendMail }: Desk,
  request: FastifyRequest,
  { token, name, email, expiresAt }: NewLink,
  words: { readonly subject: string; readonly begin: string },
): Promise<MadeLink> {
  const letter = letterWith(words, { to: email, address: linkAddress(settings, token), expiresAt });
  const mailed = sendMail !== undefined && (await goesOut(request, sendMail(letter)));
  return {
    message: mailed ? `The link is on its way to ${name}` : `Link for ${name} created`,
    token,
    expiresAt,
    mailed,
  };
}

/** An email with a single-use link. */
export function letterWith(
  { subject, begin }: { readonly subject: string; readonly begin: string },
  { to, address, expiresAt }: { readonly to: string; readonly address: string; readonly expiresAt: string },
): Letter {
  const until = `${expiresAt.slice(0, 10)} ${expiresAt.slice(11, 16)} UTC`;
  const end = `The link works once, until ${until}. Nobody else needs it: do not pass it on.`;
  return { to, subject, text: `${begin}\n\n${address}\n\n${end}\n` };
}

/** True if the mail server accepted it. */
export async function goesOut(request: FastifyRequest, sending: Promise<void>): Promise<boolean> {
  return sending.then(
    () => true,
    (err: unknown) => {
      request.log.error({ err }, 'mail not sent');
      return false;
    },
  );
}

/** Throws 422 for an unreadable name. */
export function assertName(name: string): void {
  if (name.length > LONGEST_NAME)
    throw invalid({ name: [`The name may not be greater than ${LONGEST_NAME} characters.`] });
  if (/\p{Cc}/u.test(name)) throw invalid({ name: ['The name contains characters that cannot be read.'] });
}

function roleIn(request: FastifyRequest): Role {
  const role = formOf(request).texts.get('role') ?? '';
  if (!isRole(role)) throw invalid({ role: ['The selected role is invalid.'] });
  return role;
}

function userIdOf({ params }: FastifyRequest<ById>): number {
  const id = idIn(params.id);
  if (id === undefined) throw notFound('This administrator no longer exists.');
  return id;
}

function article(role: Role): string {
  const label = ROLE_WORDS[role].label.toLowerCase();
  return `${/^[aeo]/.test(label) ? 'an' : 'a'} ${label}`;
}
