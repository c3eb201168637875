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
  /**
   * The user logged out in another tab while this page has unsaved work. There is no token, nothing is read or saved, and the
   * page waits behind the sign-in for the same user.
   */
  readonly left?: true;
}

const TOKEN_KEY = 'access_token';
const USER_KEY = 'voltdesk.user';
const VISIT_KEY = 'voltdesk.ends_with_browser';
/** Set while nobody is signed in because the server refused the last session, and not because the user logged out. */
const EXPIRED_KEY = 'voltdesk.expired';
/** A cookie without an age lives as long as the browser's session, across all tabs. Web storage has no equivalent. */
const VISIT_COOKIE = 'voltdesk_visit';

/** The session of this browser. It is read synchronously, so no screen waits for a request to know who is signed in. */
export const useSession = create<Session>()(() => readStored());

/** Stores a new sign-in. Without `remember` it ends with the browser's session. */
export function startSession(user: User, token: string, remember: boolean): void {
  localStorage.setItem(TOKEN_KEY, token);
  localStorage.setItem(USER_KEY, JSON.stringify(user));
  localStorage.removeItem(EXPIRED_KEY);
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
  if (!isCurrent(token)) return false;
  localStorage.setItem(USER_KEY, JSON.stringify(user));
  useSession.setState({ user });
  return true;
}

/**
 * True if `token` is of the current session. What was requested with another one belongs to someone who has left. Another tab's
 * write is readable before its storage event arrives.
 */
export function isCurrent(token: string | undefined): boolean {
  return useSession.getState().token === token && storedToken() === (token ?? null);
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

/**
 * Removes user and token. With `only`, it does nothing once another session has replaced that one, also in another tab. `expired`:
 * the server has ended it, so other tabs may keep their forms for later.
 */
export function closeSession(only?: string, expired = false): void {
  if (only !== undefined && !isCurrent(only)) return;
  if (expired) localStorage.setItem(EXPIRED_KEY, '1');
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

/** Gives up the work of a user who has logged out in another tab. Whoever is signed in there is signed in here. */
export function releasePage(): void {
  useSession.setState(readStored(), true);
}

/** True if the stored session outlives the browser's session. */
export function isRemembered(): boolean {
  return localStorage.getItem(VISIT_KEY) === null;
}

/** Follows sign-in and log-out in other tabs. Returns an unsubscribe function. */
export function followOtherTabs(): () => void {
  const takeUp = () => {
    const { user } = useSession.getState();
    // Unsaved work here belongs to the user who was signed in: the form stays open and asks for a sign-in.
    const isHeld = storedToken() === null && user !== undefined && hasUnsavedWork();
    if (!isHeld) useSession.setState(readStored(), true);
    else if (localStorage.getItem(EXPIRED_KEY) !== null) useSession.setState({ ended: true });
    else useSession.setState({ user, ended: true, signInAsked: false, left: true }, true);
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

/** Null without storage too: rules that run outside of a page have no session. */
function storedToken(): string | null {
  return globalThis.localStorage?.getItem(TOKEN_KEY) ?? null;
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
