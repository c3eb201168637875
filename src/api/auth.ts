import type { Session as StoredSession } from '../offline/storage/session.ts';
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
 * Signs in, or answers what has to follow the password. The session is kept on this device, for the sender too, before any screen
 * says so. Throws ApiFailure, also where this device cannot keep it: nobody new is signed in then.
 */
export async function signIn(email: string, password: string, remember: boolean): Promise<FactorAsked | undefined> {
  // Asked beside it, so that the first screen knows what to ask the server for.
  void refreshCapabilities();
  const { body } = await post('/api/auth/login', { email, password });
  if (typeof (body as { ticket?: unknown } | null)?.ticket === 'string') return body as FactorAsked;
  return completeSignIn(body, remember);
}

/** Begins the session that the server's answer to a sign-in tells of. Throws ApiFailure. */
export async function completeSignIn(body: unknown, remember: boolean): Promise<undefined> {
  const { user: told, token, replaces } = (body ?? {}) as { user?: unknown; token?: unknown; replaces?: unknown };
  const user = readUser(told);
  if (user === undefined || typeof token !== 'string') {
    throw new ApiFailure('refused', t('The server’s sign-in answer couldn’t be read.'));
  }
  await keepSession(user, token, remember);
  startSession(user, token, remember);
  wake();
  // nothing is asked for with the session before any more; where this does not arrive, it ends by itself
  if (typeof replaces === 'string') void post(`${SESSIONS_PATH}/${replaces}/end`).catch(() => {});
}

/**
 * Asks the server who the stored session belongs to. Without an answer the stored user stands, and an answer that comes when
 * another session has begun, or none is left, changes nothing. Throws ApiFailure.
 */
export async function refreshUser(): Promise<void> {
  const { token } = useSession.getState();
  const { body } = await get('/api/user');
  const user = readUser(body);
  if (user === undefined)
    throw new ApiFailure('refused', t('The server’s answer about your account couldn’t be read.'));
  if (token === undefined) return;
  // What waits for it would only be refused again: its pause stands.
  if (user.owes !== undefined || (await confirmed(user, token))) updateUser(user, token);
}

/** How long the server's answer to a log-out is waited for: nobody is to walk away from a tablet that is still signed in. Milliseconds. */
const PATIENCE = 4000;

/** Logs out here, and on the server where it can be reached soon. Returns what to tell. */
export async function signOut(): Promise<string> {
  const { token } = useSession.getState();
  const { forgetSession } = await device();
  await forgetSession();
  const message = await Promise.race([tellServer(), untold(PATIENCE)]);
  closeSession(token);
  return (await copiesForgotten()) ? message : `${message} ${say(COPIES_LEFT)}`;
}

/** Forgets the session on this device. What waits in the outbox stays for its administrator. */
export async function dropSession(): Promise<void> {
  const { token } = useSession.getState();
  const { forgetSession } = await device();
  await forgetSession();
  closeSession(token);
}

/** Changes the password of the signed-in user; returns the server's message. Throws ApiFailure with texts per field. */
export async function changePassword(values: Readonly<Record<string, string>>): Promise<string> {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.append(name, value);
  const message = messageIn((await post('/api/change-password', form)).body);
  if (useSession.getState().user?.owes !== undefined) await settleDebt();
  return message;
}

/** What was owed is done: the screens come back, and what waited goes out. */
export async function settleDebt(): Promise<void> {
  await refreshUser();
  wake();
}

/**
 * Opens the page as whoever signed in last on this device, or as nobody. Local storage, which is at hand at once, loses its last
 * seconds when a browser is killed: what was decided durably takes its place. False where nothing was: local storage stands then,
 * and nothing is sent before `keepStoredSession`.
 */
export async function recoverSession(): Promise<boolean> {
  // no first paint waits for the code of databases that are not there
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
  // it was to end with the browser's session
  await dropSession();
}

/** Decides for a session that is only in local storage: an older version of the app has begun it, or the database was lost. */
export async function keepStoredSession(): Promise<void> {
  const { user, token } = useSession.getState();
  if (user !== undefined && token !== undefined) await confirmed(user, token);
}

/** Decides who is signed in. What was read for somebody else is not theirs to see. */
async function keepSession(user: User, token: string, remember: boolean): Promise<void> {
  try {
    const { decidedSession, rememberSession } = await device();
    const { lastAdministrator } = (await decidedSession()) ?? {};
    await rememberSession(sessionOf(user, token, remember));
    if (lastAdministrator !== undefined && lastAdministrator !== String(user.id)) await forgetCopies();
  } catch (failure) {
    const why = failure instanceof Error ? ` ${failure.message}` : '';
    throw new ApiFailure('refused', `${t('Your sign-in couldn’t be stored on this device.')}${why}`);
  }
}

/** Keeps what is newly known of the session in force. False where another one has begun, or none is left. */
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
