import { createHash } from 'node:crypto';
import type { Role } from '../../../src/domain/roles.ts';
import type { Database, StoredUser } from './tables.ts';

const DAY = 24 * 60 * 60 * 1000;
/** A token that was not used for this long is dead, in milliseconds. */
const IDLE_TIME = 7 * DAY;
/** However much it is used, a token dies this long after the sign-in, in milliseconds. */
const LONGEST_TIME = 30 * DAY;
/** Its last use is written down at most this often, in milliseconds: reading must not cost a write. */
const USE_PRECISION = 60_000;

const TOKEN_BYTES = 32;

/** What tokens need from outside. */
export interface TokenWorld {
  readonly db: Database;
  readonly randomBytes: (count: number) => Buffer;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Whom a request comes from. */
export interface SignedIn {
  readonly user: StoredUser;
  readonly role: Role;
  readonly tokenHash: string;
}

/** Makes a token for a user. Only its hash is kept, so a stolen database opens no session. */
export async function issueToken({ db, randomBytes, now }: TokenWorld, userId: number): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const at = new Date(now()).toISOString();
  await removeDeadTokens(db, now());
  await db
    .insertInto('tokens')
    .values({ hash: hashOf(token), user_id: userId, created_at: at, used_at: at })
    .execute();
  return token;
}

/** The user of a living token, or undefined. Nothing is written: reading works on a full disk. */
export async function userOfToken({ db, now }: TokenWorld, token: string): Promise<SignedIn | undefined> {
  const tokenHash = hashOf(token);
  const row = await db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .selectAll('users')
    .select(['tokens.created_at as issued_at', 'tokens.used_at'])
    .where('hash', '=', tokenHash)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { issued_at, used_at, ...user } = row;
  if (now() - Date.parse(used_at) > IDLE_TIME || now() - Date.parse(issued_at) > LONGEST_TIME) return undefined;
  return { user, role: user.role, tokenHash };
}

/** Writes down that a token was used, once a minute at most. */
export async function noteUse({ db, now }: TokenWorld, tokenHash: string): Promise<void> {
  const noted = await db.selectFrom('tokens').select('used_at').where('hash', '=', tokenHash).executeTakeFirst();
  if (noted === undefined || now() - Date.parse(noted.used_at) <= USE_PRECISION) return;
  const used_at = new Date(now()).toISOString();
  await db.updateTable('tokens').set({ used_at }).where('hash', '=', tokenHash).execute();
}

/** Ends one token. */
export async function endToken(db: Database, tokenHash: string): Promise<void> {
  await db.deleteFrom('tokens').where('hash', '=', tokenHash).execute();
}

/** The form in which a token is kept: 256 random bits need no salt and no slow hash. */
function hashOf(token: string): string {
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
