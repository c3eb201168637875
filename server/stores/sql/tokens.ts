import { createHash } from 'node:crypto';
import type { Debt, OpenSession } from '../../../src/domain/protocol/sessions.ts';
import { allows, type Role } from '../../../src/domain/roles.ts';
import { Refusal, roleTooLow } from '../../errors/refusal.ts';
import type { NotedUse, Place, SignedIn as Sender, Use } from '../store.ts';
import type { Database, StoredUser } from './tables.ts';
import { owesFactor } from './users.ts';

const DAY = 24 * 60 * 60 * 1000;
/** A token expires when unused for this long. Milliseconds. */
const IDLE_TIME = 7 * DAY;
/** A token expires this long after the sign-in, even if used. Milliseconds. */
const LONGEST_TIME = 30 * DAY;
/** The minimum time between recorded uses: a read must not cost a write. Milliseconds. */
const USE_PRECISION = 60_000;

/** Sessions of one person. The one unused for longest ends with the next sign-in. */
const MOST_SESSIONS = 50;

const TOKEN_BYTES = 32;

/** Dependencies of tokens. */
export interface TokenWorld {
  readonly db: Database;
  readonly randomBytes: (count: number) => Buffer;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** The sender of a request. */
export interface SignedIn {
  readonly user: StoredUser;
  readonly role: Role;
  readonly owes?: Debt;
  readonly tokenHash: string;
  /** ISO 8601. */
  readonly signedInAt: string;
  /** The recorded last use. */
  readonly noted: NotedUse;
}

/** A stored session and its user. */
export interface SessionRow extends NotedUse {
  readonly user: StoredUser;
  /** ISO 8601. */
  readonly issued_at: string;
  /** As selected by `owesFactor`. */
  readonly owes_factor: number;
}

/** Issues a token to a user. Only its hash is stored, so a stolen database opens no session. */
export async function issueToken(
  { db, randomBytes, now }: TokenWorld,
  userId: number,
  { device, address }: Place,
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const at = new Date(now()).toISOString();
  await removeDeadTokens(db, now());
  await endSurplus(db, userId);
  await db
    .insertInto('tokens')
    .values({ hash: hashOf(token), user_id: userId, created_at: at, used_at: at, device, address })
    .execute();
  return token;
}

/** Ends the sessions of a person that leave no place for another one. */
async function endSurplus(db: Database, userId: number): Promise<void> {
  const own = db.selectFrom('tokens').select('hash').where('user_id', '=', userId);
  const kept = await own
    .orderBy('used_at', 'desc')
    .orderBy('hash')
    .limit(MOST_SESSIONS - 1)
    .execute();
  if (kept.length < MOST_SESSIONS - 1) return;
  const names = kept.map(({ hash }) => hash);
  await db.deleteFrom('tokens').where('user_id', '=', userId).where('hash', 'not in', names).execute();
}

/** The user of a valid token, or undefined. Writes nothing: reads work on a full disk. */
export async function userOfToken({ db, now }: TokenWorld, token: string): Promise<SignedIn | undefined> {
  const tokenHash = hashOf(token);
  const row = await db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .selectAll('users')
    .select(['tokens.created_at as issued_at', 'tokens.used_at', 'tokens.waiting', owesFactor])
    .where('hash', '=', tokenHash)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { issued_at, used_at, waiting, owes_factor, ...user } = row;
  return signedInBy(tokenHash, { user, issued_at, used_at, waiting, owes_factor }, now());
}

/** The sender of a session, or undefined if it has expired. `at` is epoch milliseconds. */
export function signedInBy(tokenHash: string, session: SessionRow, at: number): SignedIn | undefined {
  const { user, issued_at, used_at, waiting, owes_factor } = session;
  if (at - Date.parse(used_at) > IDLE_TIME || at - Date.parse(issued_at) > LONGEST_TIME) return undefined;
  const { made_up_password_at } = user;
  const owes = debtOf({ made_up_password_at, owes_factor });
  return { user, role: user.role, ...owes, tokenHash, signedInAt: issued_at, noted: { used_at, waiting } };
}

/** What the user must do before anything else. `owes_factor` is as selected by `owesFactor`. */
export function debtOf({
  made_up_password_at,
  owes_factor,
}: Pick<StoredUser, 'made_up_password_at'> & { readonly owes_factor: number }): { readonly owes?: Debt } {
  if (made_up_password_at !== null) return { owes: 'password' };
  return owes_factor === 0 ? {} : { owes: 'second-factor' };
}

/**
 * Records the use of a token and its address, at most once a minute, and the device's waiting changes whenever the count
 * changes. `noted` was read during authentication.
 */
export async function noteUse(
  { db, now }: TokenWorld,
  { tokenHash, noted }: Pick<Sender, 'tokenHash' | 'noted'>,
  { address, waiting }: Use,
): Promise<void> {
  const at = now();
  const isNews = waiting !== undefined && waiting !== noted?.waiting;
  if (!isNews && noted !== undefined && at - Date.parse(noted.used_at) <= USE_PRECISION) return;
  const used = { used_at: new Date(at).toISOString(), address, ...(waiting === undefined ? {} : { waiting }) };
  await db.updateTable('tokens').set(used).where('hash', '=', tokenHash).execute();
}

/** The user's valid sessions, most recently used first. */
export async function sessionsOf({ db, now }: TokenWorld, userId: number): Promise<Omit<OpenSession, 'isThis'>[]> {
  await removeDeadTokens(db, now());
  const rows = await db
    .selectFrom('tokens')
    .leftJoin('devices', 'devices.token', 'tokens.hash')
    .selectAll('tokens')
    .select(['devices.version', 'devices.since', 'devices.used', 'devices.quota'])
    .where('tokens.user_id', '=', userId)
    .orderBy('used_at', 'desc')
    .execute();
  return rows.map(({ hash, device, address, created_at, used_at, waiting, version, since, used, quota }) => ({
    id: hash,
    device: device === '' ? 'Unknown device' : device,
    address,
    signedInAt: created_at,
    lastSeenAt: used_at,
    ...(waiting === null ? {} : { waiting }),
    ...(version === null ? {} : { version }),
    ...(since === null ? {} : { waitingSince: since }),
    ...(used === null ? {} : { used }),
    ...(quota === null ? {} : { quota }),
  }));
}

/** Ends one session of a user. Returns false if there is no such session. */
export async function endSession(db: Database, userId: number, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('tokens')
    .where('user_id', '=', userId)
    .where('hash', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Ends all sessions of a user except one. */
export async function endOtherSessions(db: Database, userId: number, keep: string): Promise<void> {
  await db.deleteFrom('tokens').where('user_id', '=', userId).where('hash', '!=', keep).execute();
}

/** Revokes one token. */
export async function endToken(db: Database, tokenHash: string): Promise<void> {
  await db.deleteFrom('tokens').where('hash', '=', tokenHash).execute();
}

/** The stored form of a token. 256 random bits need no salt and no slow hash. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

async function removeDeadTokens(db: Database, at: number): Promise<void> {
  await db
    .deleteFrom('tokens')
    .where((where) =>
      where.or([
        where('used_at', '<', new Date(at - IDLE_TIME).toISOString()),
        where('created_at', '<', new Date(at - LONGEST_TIME).toISOString()),
      ]),
    )
    .execute();
}

/**
 * Asserts, in the transaction of a change, that its sender may still make it: a batch, or a change with many pictures, may run
 * for minutes. Throws 401 without the session, 403 without the role.
 */
export async function requireStill(writing: Database, tokenHash: string, least: Role): Promise<void> {
  const sender = await writing
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .select('users.role')
    .where('hash', '=', tokenHash)
    .executeTakeFirst();
  if (sender === undefined) throw new Refusal(401, { message: 'Unauthenticated.' });
  if (!allows(sender.role, least)) throw roleTooLow(sender.role, least);
}
