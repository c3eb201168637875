import { browserEnvironment } from './browser-environment.ts';
import type { Environment } from './environment.ts';
import { StorageFullError } from './errors.ts';
import { readMeta, type Session, writeMeta } from './meta.ts';
import type { OutboxDatabase } from './outbox-database.ts';
import { transact } from './transactions.ts';
import { withinQuota } from './quota.ts';

export type { Session } from './meta.ts';

/**
 * Who is signed in on this device is one fact, kept here with strict durability and written before any screen says so: local
 * storage loses its last seconds when a browser is killed, and with them the change of an administrator.
 */

/** What was last decided: a session, or that nobody is signed in. */
export interface DecidedSession {
  readonly session?: Session;
  /** Id of the administrator who was last signed in. */
  readonly lastAdministrator?: string;
}

/** Someone has signed in. A pause that waited for a sign-in ends. */
export async function rememberSession(
  session: Session,
  environment: Environment = browserEnvironment(),
): Promise<void> {
  const { outbox } = environment;
  await withinQuota(environment, 0, () => transact(outbox, 'rw', [outbox.meta], () => write(outbox, session)));
}

/**
 * Keeps what is newly known of a session that is in force, or of one that this database has never heard of. False, and nothing
 * is kept, where something else was decided meanwhile.
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
 * Nobody is signed in from now on: nothing is sent until someone signs in. What waits stays. A device without any room left forgets
 * who it was too: to log out is never refused.
 */
export async function forgetSession(environment: Environment = browserEnvironment()): Promise<void> {
  const { outbox } = environment;
  const forget = async () => {
    const { lastAdministrator } = (await read(outbox)) ?? {};
    await writeMeta(outbox, 'signedOut', lastAdministrator === undefined ? {} : { lastAdministrator });
    await writeMeta(outbox, 'session', undefined);
  };
  try {
    await withinQuota(environment, 0, () => transact(outbox, 'rw', [outbox.meta], forget));
  } catch (failure) {
    if (!(failure instanceof StorageFullError)) throw failure;
    await transact(outbox, 'rw', [outbox.meta], () => writeMeta(outbox, 'session', undefined));
  }
}

/** What was last decided. Undefined in a database in which nobody has signed in or out yet, such as one after a loss. */
export async function decidedSession(
  { outbox }: Environment = browserEnvironment(),
): Promise<DecidedSession | undefined> {
  return transact(outbox, 'r', [outbox.meta], () => read(outbox));
}

/** The session in force, undefined when there is none. */
export async function rememberedSession(environment: Environment = browserEnvironment()): Promise<Session | undefined> {
  return (await decidedSession(environment))?.session;
}

async function read(outbox: OutboxDatabase): Promise<DecidedSession | undefined> {
  const session = await readMeta(outbox, 'session');
  return session === undefined ? readMeta(outbox, 'signedOut') : { session, lastAdministrator: session.administrator };
}

async function write(outbox: OutboxDatabase, session: Session): Promise<void> {
  await writeMeta(outbox, 'session', session);
  await writeMeta(outbox, 'signedOut', undefined);
  const pause = await readMeta(outbox, 'pause');
  if (pause?.cause === 'signed-out') await writeMeta(outbox, 'pause', undefined);
}
