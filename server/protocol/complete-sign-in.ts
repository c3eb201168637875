import type { FastifyReply, FastifyRequest } from 'fastify';
import { audit } from '../security/audit.ts';
import { deviceName } from '../security/device-name.ts';
import { rememberDevice } from '../security/known-device.ts';
import { credentialsOf } from '../security/session.ts';
import type { Account, Accounts, Store } from '../stores/store.ts';

/** What the end of a sign-in works with. */
export interface SignInDesk {
  readonly accounts: Accounts;
  readonly signedIn: Store['signedIn'];
  /** Signs what a known device keeps. */
  readonly secret: Buffer;
}

/**
 * Lets somebody in who has shown all that is asked for: a new session, whatever there was before. `replaces` names the one that
 * the request came with, for its browser to end once it has kept the new one.
 */
export async function completeSignIn(
  desk: SignInDesk,
  request: FastifyRequest,
  reply: FastifyReply,
  { user, event }: { readonly user: Account; readonly event: string },
) {
  audit(request, event, user.email);
  rememberDevice(request, reply, { secret: desk.secret, email: user.email });
  const replaces = await presentSession(desk, request, user.id);
  const place = { device: deviceName(request.headers['user-agent'] ?? ''), address: request.ip };
  const token = await desk.accounts.issueToken(user.id, place);
  return reply.code(200).send({ user: publicUser(user), token, ...(replaces === undefined ? {} : { replaces }) });
}

/** A user as they may see themselves. */
export function publicUser({ id, name, email, role, owes, created_at, updated_at }: Account) {
  return { id, name, email, role, created_at, updated_at, ...(owes === undefined ? {} : { owes }) };
}

/** The living session of the same person that a sign-in came with. */
async function presentSession(desk: SignInDesk, request: FastifyRequest, userId: number): Promise<string | undefined> {
  const credentials = credentialsOf(request);
  if (credentials.token === '') return undefined;
  const session = await desk.signedIn(credentials).catch(() => undefined);
  return session?.user.id === userId ? session.tokenHash : undefined;
}
