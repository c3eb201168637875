import type { FastifyReply, FastifyRequest } from 'fastify';
import { audit } from '../security/audit.ts';
import { deviceName } from '../security/device-name.ts';
import { rememberDevice } from '../security/known-device.ts';
import { credentialsOf } from '../security/session.ts';
import type { Account, Accounts, Store } from '../stores/store.ts';

/** Dependencies of completing a sign-in. */
export interface SignInDesk {
  readonly accounts: Accounts;
  readonly signedIn: Store['signedIn'];
  /** Signs the cookies of known devices. */
  readonly secret: Buffer;
}

/**
 * Starts a new session after a complete sign-in. `replaces` names the session that the request came with: its browser ends that
 * one once it has stored the new one.
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

/** A user, as visible to themselves. */
export function publicUser({ id, name, email, role, owes, created_at, updated_at }: Account) {
  return { id, name, email, role, created_at, updated_at, ...(owes === undefined ? {} : { owes }) };
}

/** The active session of the same person that the sign-in came with. */
async function presentSession(desk: SignInDesk, request: FastifyRequest, userId: number): Promise<string | undefined> {
  const credentials = credentialsOf(request);
  if (credentials.token === '') return undefined;
  const session = await desk.signedIn(credentials).catch(() => undefined);
  return session?.user.id === userId ? session.tokenHash : undefined;
}
