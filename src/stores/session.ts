import { create } from 'zustand';
import { type Debt, DEBTS } from '../domain/protocol/sessions.ts';
import { allows, isRole, type Role } from '../domain/roles.ts';
import { hasUnsavedWork } from './unsaved.ts';
import { onRestored } from './restored.ts';

/** The signed-in administrator. `id` names the owner of queued changes. */
export interface User {
  readonly id: number;
  readonly name: string;
  readonly email?: string;
  /** What they may do. Absent when an existing back end's own rights apply. */
  readonly role?: Role;
  /** What the server requires before anything else. */
  readonly owes?: Debt;
}

export interface Session {
  readonly user?: User;
  readonly token?: string;
  /** The server answered 401, so the token is dead. The screens keep showing the device's copy. */
  readonly ended: boolean;
  /** The sign-in dialog was requested, because changes wait for a sign-in. */
  readonly signInAsked: boolean;
  /**
   * The session has ended and the sign-in was dismissed with "Later". The screens keep showing the device's copy until the next
   * start.
   */
  readonly putOff?: boolean;
}

const TOKEN_KEY = 'access_token';
const USER_KEY = 'voltdesk.user';
const VISIT_KEY = 'voltdesk.ends_with_browser';
/** A cookie without an age lives as long as the browser's session, across all tabs. Web storage has no equivalent. */
const VISIT_COOKIE = 'voltdesk_visit';

/** The session of this browser. It is read synchronously, so no screen waits for a request to know who is signed in. */
export const useSession = create<Session>()(() => readStored());

/** Stores a new sign-in. Without `remember` it ends with the browser's session. */
export function startSession(user: User, token: string, remember: boolean): void {
  localStorage.setItem(TOKEN_KEY, token);
  localStorage.setItem(USER_KEY, JSON.stringify(user));
  if (remember) localStorage.removeItem(VISIT_KEY);
  else localStorage.setItem(VISIT_KEY, '1');
  // written through `document`: the asynchronous cookie store is missing in Firefox and older Safari
  document.cookie = `${VISIT_COOKIE}=1; path=/; samesite=lax`;
  useSession.setState({ user, token, ended: false, signInAsked: false }, true);
}

/**
 * Stores the server's answer about the user of `token`. Returns false and stores nothing if that is no longer the current token:
 * another administrator may have signed in meanwhile, also in another tab.
 */
export function updateUser(user: User, token: string | undefined): boolean {
  // Another tab's write is readable before its storage event arrives.
  const present = useSession.getState().token === token && storedToken() === token;
  if (!present) return false;
  localStorage.setItem(USER_KEY, JSON.stringify(user));
  useSession.setState({ user });
  return true;
}

/**
 * Adopts the session recorded in the device's database. Returns false if it was to end with the browser's session and that is
 * over: nobody is signed in then.
 */
export function adoptSession(user: User, token: string, remember: boolean): boolean {
  if (!remember && !visitGoesOn()) return false;
  const { user: present, token: presentToken } = useSession.getState();
  if (present === undefined || presentToken !== token) startSession(user, token, remember);
  return true;
}

/** Removes user and token. With `only`, it does nothing once another session has replaced that one, also in another tab. */
export function closeSession(only?: string): void {
  if (only !== undefined && (useSession.getState().token !== only || storedToken() !== only)) return;
  for (const key of [TOKEN_KEY, USER_KEY, VISIT_KEY]) localStorage.removeItem(key);
  useSession.setState({ ended: false, signInAsked: false }, true);
}

/** Records that the server refused `token`. An answer to an older token says nothing about the current one. */
export function endSession(token: string | undefined): void {
  if (token !== undefined && token === useSession.getState().token) useSession.setState({ ended: true });
}

/** Opens or closes the sign-in dialog over the current screen. */
export function askForSignIn(asked = true): void {
  const { ended } = useSession.getState();
  useSession.setState({ signInAsked: asked, ...(!asked && ended && { putOff: true }) });
}

/** True if the stored session outlives the browser's session. */
export function isRemembered(): boolean {
  return localStorage.getItem(VISIT_KEY) === null;
}

/** Follows sign-in and log-out in other tabs. Returns an unsubscribe function. */
export function followOtherTabs(): () => void {
  const takeUp = () => {
    const stored = readStored();
    // Unsaved work here belongs to the user who was signed in: the form stays open and asks for a sign-in.
    if (stored.token === undefined && hasUnsavedWork()) useSession.setState({ ended: true });
    else useSession.setState(stored, true);
  };
  const follow = ({ key }: StorageEvent) => {
    if (key === TOKEN_KEY || key === USER_KEY || key === null) takeUp();
  };
  window.addEventListener('storage', follow);
  const stopRestored = onRestored(() => {
    if (storedToken() !== (useSession.getState().token ?? null)) takeUp();
  });
  return () => {
    window.removeEventListener('storage', follow);
    stopRestored();
  };
}

function readStored(): Session {
  const ended = { ended: false, signInAsked: false };
  const token = storedToken();
  if (token === null) return ended;
  if (!isRemembered() && !visitGoesOn()) {
    for (const key of [TOKEN_KEY, USER_KEY, VISIT_KEY]) localStorage.removeItem(key);
    return ended;
  }
  const user = parseUser(localStorage.getItem(USER_KEY));
  return { ...ended, token, ...(user && { user }) };
}

function storedToken(): string | null {
  return localStorage.getItem(TOKEN_KEY);
}

/** True until the browser that the session started in is closed. */
function visitGoesOn(): boolean {
  return document.cookie.includes(`${VISIT_COOKIE}=`);
}

function parseUser(text: string | null): User | undefined {
  try {
    return text === null ? undefined : readUser(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Reads the user in a server's answer. Returns undefined if it is none. Other members (dates, verification) are dropped. */
export function readUser(value: unknown): User | undefined {
  const { id, name, email, role, owes } = (value ?? {}) as Record<string, unknown>;
  if (typeof id !== 'number' || typeof name !== 'string') return undefined;
  return {
    id,
    name,
    ...(typeof email === 'string' && { email }),
    ...(isRole(role) && { role }),
    ...(isDebt(owes) && { owes }),
  };
}

/** True if the signed-in administrator has at least that role. Without roles, everyone may do everything. */
export function useMay(least: Role): boolean {
  return useSession(({ user }) => user?.role === undefined || allows(user.role, least));
}

function isDebt(value: unknown): value is Debt {
  return DEBTS.some((debt) => debt === value);
}
