import type { Session as StoredSession } from '../offline/storage/session.ts';
import { asSentence } from '../domain/messages.ts';
import type { FactorAsked } from '../domain/protocol/second-factor.ts';
import { SESSIONS_PATH } from '../domain/protocol/sessions.ts';
import {
  adoptSession,
  closeSession,
  isRemembered,
  readUser,
  startSession,
  type User,
  updateUser,
  useSession,
} from '../stores/session.ts';
import { device, hasOutbox } from './device.ts';
import { refreshCapabilities } from './capabilities.ts';
import { ApiFailure } from './failure.ts';
import { pause } from './pause.ts';
import { forgetCopies } from './sources.ts';
import { get, post } from './request.ts';
import { wake } from './worker-bridge.ts';
import { msg, say, t } from '../language/t.ts';

/**
 * Signs in, or returns the second factor to ask for. Stores the session on this device, for the sender too, before any
 * screen shows it. Throws ApiFailure, also if this device cannot store the session; the sign-in then has no effect.
 */
export async function signIn(email: string, password: string, remember: boolean): Promise<FactorAsked | undefined> {
  // In parallel, so that the first screen knows what it can request.
  void refreshCapabilities();
  const { body } = await post('/api/auth/login', { email, password });
  if (typeof (body as { ticket?: unknown } | null)?.ticket === 'string') return body as FactorAsked;
  return completeSignIn(body, remember);
}

/** Starts the session in the server's answer to a sign-in. Throws ApiFailure. */
export async function completeSignIn(body: unknown, remember: boolean): Promise<undefined> {
  const { user: told, token, replaces } = (body ?? {}) as { user?: unknown; token?: unknown; replaces?: unknown };
  const user = readUser(told);
  if (user === undefined || typeof token !== 'string') {
    throw new ApiFailure('refused', t('The server’s sign-in answer couldn’t be read.'));
  }
  await keepSession(user, token, remember);
  startSession(user, token, remember);
  wake();
  // the previous session is no longer used; if this request does not arrive, that session expires
  if (typeof replaces === 'string') void post(`${SESSIONS_PATH}/${replaces}/end`).catch(() => {});
}

/**
 * Asks the server whose session is stored. Without an answer the stored user stays. An answer that arrives after the session
 * has changed or ended is ignored. Throws ApiFailure.
 */
export async function refreshUser(): Promise<void> {
  const { token } = useSession.getState();
  const { body } = await get('/api/user');
  const user = readUser(body);
  if (user === undefined)
    throw new ApiFailure('refused', t('The server’s answer about your account couldn’t be read.'));
  if (token === undefined) return;
  // While an obligation is open, pending changes would be refused again, so the pause stays.
  if (user.owes !== undefined || (await confirmed(user, token))) updateUser(user, token);
}

/** Time-out of the server's log-out, so that nobody walks away from a tablet that is still signed in. Milliseconds. */
const PATIENCE = 4000;

/** Logs out here, and on the server if it answers soon. Returns the message to show. */
export async function signOut(): Promise<string> {
  const { token } = useSession.getState();
  const { forgetSession } = await device();
  await forgetSession();
  const message = await Promise.race([tellServer(), untold(PATIENCE)]);
  closeSession(token);
  return (await copiesForgotten()) ? message : `${asSentence(say(message))} ${say(COPIES_LEFT)}`;
}

/** Forgets a session that has ended by itself. Pending changes stay for their administrator, and so do the forms of other tabs. */
export async function dropSession(): Promise<void> {
  const { token } = useSession.getState();
  const { forgetSession } = await device();
  await forgetSession(undefined, { expired: true });
  closeSession(token, true);
}

/** Changes the signed-in user's password. Returns the server's message. Throws ApiFailure with messages per field. */
export async function changePassword(values: Readonly<Record<string, string>>): Promise<string> {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.append(name, value);
  const message = messageIn((await post('/api/change-password', form)).body);
  if (useSession.getState().user?.owes !== undefined) await settleDebt();
  return message;
}

/** Delay before a server that did not answer is asked again whether an obligation is met. Milliseconds. */
const ASK_AGAIN = 5000;

/** Ends an obligation that has been met: the screens return, and pending changes are sent, at once or when the server answers. */
export async function settleDebt(): Promise<void> {
  const { token } = useSession.getState();
  const askAgain = () => {
    const session = useSession.getState();
    if (session.token === token && !session.ended) void settleDebt();
  };
  try {
    await refreshUser();
    wake();
  } catch (failure) {
    // what was owed has been done, so this failure is not one of that
    if (!(failure instanceof ApiFailure)) throw failure;
    setTimeout(askAgain, ASK_AGAIN);
  }
}

/**
 * Restores the last session of this device, or none. Local storage is available at once but loses its last seconds when a
 * browser is killed, so the durably stored decision replaces it. Returns false if there is none: local storage then stays in
 * force, and nothing is sent before `keepStoredSession`.
 */
export async function recoverSession(): Promise<boolean> {
  // the first paint does not wait for the code of databases that do not exist
  if (!(await hasOutbox())) return false;
  const { decidedSession } = await device();
  const decided = await decidedSession();
  if (decided !== undefined) await takeUp(decided.session);
  return decided !== undefined;
}

async function takeUp(session: StoredSession | undefined): Promise<void> {
  if (session === undefined) return closeSession();
  const { administrator, name, email, role, token, rememberAcrossRestarts } = session;
  const user = { id: Number(administrator), name, ...(email !== undefined && { email }), ...(role && { role }) };
  if (adoptSession(user, token, rememberAcrossRestarts)) return;
  // the session was to end with the browser session
  await dropSession();
}

/** Adopts a session found only in local storage: an older version of the app started it, or the database was lost. */
export async function keepStoredSession(): Promise<void> {
  const { user, token } = useSession.getState();
  if (user !== undefined && token !== undefined) await confirmed(user, token);
}

/** Stores durably who is signed in. Removes the copies read for another administrator, which this one must not see. */
async function keepSession(user: User, token: string, remember: boolean): Promise<void> {
  try {
    const { decidedSession, rememberSession } = await device();
    const { lastAdministrator } = (await decidedSession()) ?? {};
    // first: a sign-in that fails here leaves no session behind
    if (lastAdministrator !== undefined && lastAdministrator !== String(user.id)) await forgetCopies();
    await rememberSession(sessionOf(user, token, remember));
  } catch (failure) {
    const why = failure instanceof Error ? ` ${failure.message}` : '';
    throw new ApiFailure('refused', `${t('Your sign-in couldn’t be stored on this device.')}${why}`);
  }
}

/** Stores new facts about the current session. Returns false if the session has changed or ended. */
async function confirmed(user: User, token: string): Promise<boolean> {
  const { confirmSession } = await device();
  return confirmSession(sessionOf(user, token, isRemembered()));
}

function sessionOf({ id, name, email, role }: User, token: string, remember: boolean): StoredSession {
  return {
    administrator: String(id),
    name,
    ...(email !== undefined && { email }),
    ...(role && { role }),
    token,
    rememberAcrossRestarts: remember,
  };
}

async function tellServer(): Promise<string> {
  try {
    return messageIn((await post('/api/logout')).body);
  } catch (failure) {
    const signedOutBefore = failure instanceof ApiFailure && failure.kind === 'signed-out';
    return signedOutBefore ? t('Logged out.') : say(UNTOLD);
  }
}

async function copiesForgotten(): Promise<boolean> {
  try {
    await forgetCopies();
    return true;
  } catch (failure) {
    console.error('The copies on this device cannot be removed.', failure);
    return false;
  }
}

const COPIES_LEFT = msg('Lists you opened are still on this device. Close the other Voltdesk tabs and log out again.');

const UNTOLD = msg('Logged out on this device only');

async function untold(after: number): Promise<string> {
  await pause(after);
  return say(UNTOLD);
}

function messageIn(body: unknown): string {
  const { message } = (body ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : '';
}
