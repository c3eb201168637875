import {
  askForSignIn,
  closeSession,
  isRemembered,
  readUser,
  type Session,
  startSession,
  type User,
  updateUser,
  useSession,
} from '../stores/session.ts';
import { device, hasOutbox } from './device.ts';
import { refreshCapabilities } from './capabilities.ts';
import { ApiFailure } from './failure.ts';
import { get, post } from './request.ts';
import { wake } from './worker-bridge.ts';

/** Signs in and keeps the session, for the sender too. Throws ApiFailure. */
export async function signIn(email: string, password: string, remember: boolean): Promise<User> {
  // Asked beside it, so that the first screen knows what to ask the server for.
  void refreshCapabilities();
  const { body } = await post('/api/auth/login', { email, password });
  const { user: told, token } = (body ?? {}) as { user?: unknown; token?: unknown };
  const user = readUser(told);
  if (user === undefined || typeof token !== 'string') {
    throw new ApiFailure('refused', 'The server’s answer to the sign-in cannot be read.');
  }
  startSession(user, token, remember);
  await shareSession();
  wake();
  return user;
}

/**
 * Asks the server who the stored session belongs to. Without an answer the stored user stands, and an answer that comes when
 * another session has begun, or none is left, changes nothing. Throws ApiFailure.
 */
export async function refreshUser(): Promise<void> {
  const { token } = useSession.getState();
  const { body } = await get('/api/user');
  const user = readUser(body);
  if (user === undefined) throw new ApiFailure('refused', 'The server’s answer about the user cannot be read.');
  if (updateUser(user, token)) await shareSession();
}

/** How long the server's answer to a log-out is waited for: nobody is to walk away from a tablet that is still signed in. Milliseconds. */
const PATIENCE = 4000;

/** Logs out here, and on the server where it can be reached soon. Returns what to tell. */
export async function signOut(): Promise<string> {
  const { token } = useSession.getState();
  const message = await Promise.race([tellServer(), untold(PATIENCE)]);
  // another tab may have begun another session meanwhile
  if (useSession.getState().token === token) await dropSession();
  return message;
}

/** Forgets the session on this device. What waits in the outbox stays for its administrator. */
export async function dropSession(): Promise<void> {
  closeSession();
  const { forgetSession } = await device();
  await forgetSession();
}

/** Changes the password of the signed-in user; returns the server's message. Throws ApiFailure with texts per field. */
export async function changePassword(values: Readonly<Record<string, string>>): Promise<string> {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.append(name, value);
  return messageIn((await post('/api/change-password', form)).body);
}

/**
 * A browser that is killed loses what it put into local storage in its last seconds, and with it who is signed in. The
 * sender's copy was written durably: the session is taken from there, unless it was to end with the browser's session.
 */
export async function recoverSession(): Promise<void> {
  if (useSession.getState().token !== undefined || !(await hasOutbox())) return;
  const { rememberedSession } = await device();
  const copy = await rememberedSession();
  if (copy === undefined || !copy.rememberAcrossRestarts) return;
  startSession({ id: Number(copy.administrator), name: copy.name }, copy.token, true);
}

/** Hands the page's session to the sender, which cannot read local storage; takes it away when there is none. */
export async function shareSession({ user, token }: Session = useSession.getState()): Promise<void> {
  const { forgetSession, rememberSession } = await device();
  if (user === undefined || token === undefined) return forgetSession();
  const { id, name } = user;
  await rememberSession({ administrator: String(id), name, token, rememberAcrossRestarts: isRemembered() });
  askForSignIn(false);
}

async function tellServer(): Promise<string> {
  try {
    return messageIn((await post('/api/logout')).body);
  } catch (failure) {
    const signedOutBefore = failure instanceof ApiFailure && failure.kind === 'signed-out';
    return signedOutBefore ? 'Logged out.' : UNTOLD;
  }
}

const UNTOLD = 'Logged out on this device. The server could not be told.';

async function untold(after: number): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, after));
  return UNTOLD;
}

function messageIn(body: unknown): string {
  const { message } = (body ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : '';
}
