import { browserEnvironment } from './browser-environment.ts';
import type { Environment } from './environment.ts';
import { StorageFullError } from './errors.ts';
import { readMeta, type Session, writeMeta } from './meta.ts';
import type { OutboxDatabase } from './outbox-database.ts';
import { transact } from './transactions.ts';
import { withinQuota } from './quota.ts';

export type { Session } from './meta.ts';

/**
 * The single source of truth for who is signed in on this device. It is stored with strict durability before any screen shows it:
 * local storage loses its last seconds when a browser is killed, and with them a change of administrator.
 */

/** The last sign-in or sign-out. */
export interface DecidedSession {
  readonly session?: Session;
  /** The id of the last signed-in administrator. */
  readonly lastAdministrator?: string;
  /** The server has ended the last session. Absent after a log-out. */
  readonly expired?: true;
}

/** Stores a sign-in. Ends a pause that waited for it. */
export async function rememberSession(
  session: Session,
  environment: Environment = browserEnvironment(),
): Promise<void> {
  const { outbox } = environment;
  await withinQuota(environment, 0, () => transact(outbox, 'rw', [outbox.meta], () => write(outbox, session)));
}

/**
 * Updates the current session, or stores it if this database has no sign-in or sign-out yet. Resolves to false and writes nothing
 * if someone has signed in or out meanwhile.
 */
export async function confirmSession(
  session: Session,
  environment: Environment = browserEnvironment(),
): Promise<boolean> {
  const { outbox } = environment;
  const confirm = async () => {
    const decided = await read(outbox);
    if (decided !== undefined && decided.session?.token !== session.token) return false;
    await write(outbox, session);
    return true;
  };
  return withinQuota(environment, 0, () => transact(outbox, 'rw', [outbox.meta], confirm));
}

/**
 * Stores a sign-out. Nothing is sent until the next sign-in, and pending changes stay. On a full device it counts as a log-out in
 * any case, so that it never fails for lack of quota. `expired`: the server has ended the session.
 */
export async function forgetSession(
  environment: Environment = browserEnvironment(),
  { expired = false } = {},
): Promise<void> {
  const { outbox } = environment;
  const forget = async () => {
    const { lastAdministrator } = (await read(outbox)) ?? {};
    const whose = lastAdministrator === undefined ? {} : { lastAdministrator };
    await writeMeta(outbox, 'signedOut', { ...whose, ...(expired && { expired }) });
    await writeMeta(outbox, 'session', undefined);
  };
  try {
    await withinQuota(environment, 0, () => transact(outbox, 'rw', [outbox.meta], forget));
  } catch (failure) {
    if (!(failure instanceof StorageFullError)) throw failure;
    await transact(outbox, 'rw', [outbox.meta], () => writeMeta(outbox, 'session', undefined));
  }
}

/** The last sign-in or sign-out. Undefined in a database without either, such as one after a storage loss. */
export async function decidedSession(
  { outbox }: Environment = browserEnvironment(),
): Promise<DecidedSession | undefined> {
  return transact(outbox, 'r', [outbox.meta], () => read(outbox));
}

/**
 * True if work of this user may be saved: they are signed in, their session has expired, or this database has no sign-in or
 * sign-out yet. After a log-out, or someone else's sign-in, in whatever tab, it may not.
 */
export async function maySaveFor(
  administrator: string,
  environment: Environment = browserEnvironment(),
): Promise<boolean> {
  const decided = await decidedSession(environment);
  if (decided === undefined) return true;
  const { session, lastAdministrator, expired } = decided;
  return session === undefined
    ? expired === true && lastAdministrator === administrator
    : session.administrator === administrator;
}

/** The current session. Undefined if nobody is signed in. */
export async function rememberedSession(environment: Environment = browserEnvironment()): Promise<Session | undefined> {
  return (await decidedSession(environment))?.session;
}

async function read(outbox: OutboxDatabase): Promise<DecidedSession | undefined> {
  const session = await readMeta(outbox, 'session');
  return session === undefined ? readMeta(outbox, 'signedOut') : { session, lastAdministrator: session.administrator };
}

async function write(outbox: OutboxDatabase, session: Session): Promise<void> {
  await writeMeta(outbox, 'session', session);
  // written ahead: on a full device, a log-out can only remove
  await writeMeta(outbox, 'signedOut', { lastAdministrator: session.administrator });
  const pause = await readMeta(outbox, 'pause');
  if (pause?.cause === 'signed-out') await writeMeta(outbox, 'pause', undefined);
}
