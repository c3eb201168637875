import { Refusal, invalid, notFound } from '../../errors/refusal.ts';
import { timestamp } from '../../services.ts';
import type { SqlServices } from './services.ts';
import type { Factors, NewPasskey, StoredPasskey } from '../factors.ts';
import type { Database, PasskeyRow, Writing } from './tables.ts';

/** The name of the requirement in its table. */
const REQUIREMENT = 'second-factor';

/** Dependencies of the factors. */
type World = Pick<SqlServices, 'db' | 'passwords' | 'now'>;

/** The second factors in the tables. */
export function factorsIn(world: World): Factors {
  return { ...passkeysIn(world), ...authenticatorsIn(world), ...codesIn(world), ...allOf(world) };
}

function passkeysIn(world: World) {
  const { db } = world;
  return {
    async passkey(id) {
      const row = await db.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst();
      return row && passkeyOf(row);
    },
    async passkeysOf(userId) {
      return (await passkeyRows(db, userId)).map(passkeyOf);
    },
    async addPasskey(passkey) {
      const row = { ...rowOf(passkey), created_at: timestamp(world), used_at: null };
      const added = await db
        .insertInto('passkeys')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (added.numInsertedOrUpdatedRows !== 1n) throw invalid({ passkey: ['This passkey is set up already.'] });
    },
    async passkeyUsed(id, { before, after }) {
      const used = await db
        .updateTable('passkeys')
        .set({ counter: after, used_at: timestamp(world) })
        .where('id', '=', id)
        .where('counter', '=', before)
        .executeTakeFirst();
      return used.numUpdatedRows === 1n;
    },
    async renamePasskey(userId, id, name) {
      const renamed = await db
        .updateTable('passkeys')
        .set({ name })
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      if (renamed.numUpdatedRows !== 1n) throw gone();
    },
    removePasskey: (userId, id) =>
      db.transaction().execute(async (writing) => {
        const removed = await writing
          .deleteFrom('passkeys')
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .executeTakeFirst();
        if (removed.numDeletedRows !== 1n) throw gone();
        await settleRemoval(writing, userId);
      }),
  } satisfies Partial<Factors>;
}

function authenticatorsIn(world: World) {
  const { db } = world;
  return {
    async authenticator(userId) {
      const row = await db.selectFrom('authenticators').selectAll().where('user_id', '=', userId).executeTakeFirst();
      if (row === undefined) return undefined;
      const { secret, last_step, failures, failed_at } = row;
      return { secret, lastStep: last_step, failures, ...(failed_at === null ? {} : { failedAt: failed_at }) };
    },
    async setAuthenticator(userId, { secret, step }) {
      const row = { secret, last_step: step, failures: 0, failed_at: null, created_at: timestamp(world) };
      await db
        .insertInto('authenticators')
        .values({ user_id: userId, ...row })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
        .execute();
    },
    async useStep(userId, step) {
      const used = await db
        .updateTable('authenticators')
        .set({ last_step: step, failures: 0, failed_at: null })
        .where('user_id', '=', userId)
        .where('last_step', '<', step)
        .executeTakeFirst();
      return used.numUpdatedRows === 1n;
    },
    async noteWrongCode(userId) {
      await db
        .updateTable('authenticators')
        .set((row) => ({ failures: row('failures', '+', 1), failed_at: timestamp(world) }))
        .where('user_id', '=', userId)
        .execute();
    },
    removeAuthenticator: (userId) =>
      db.transaction().execute(async (writing) => {
        const removed = await writing.deleteFrom('authenticators').where('user_id', '=', userId).executeTakeFirst();
        if (removed.numDeletedRows !== 1n) throw gone();
        await settleRemoval(writing, userId);
      }),
  } satisfies Partial<Factors>;
}

function codesIn({ db, passwords }: World) {
  return {
    async setRecoveryCodes(userId, codes) {
      // Hashing is slow, so it runs before the transaction.
      const hashes = await passwords.hashSet(codes);
      await db.transaction().execute(async (writing) => {
        await writing.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
        await writing
          .insertInto('recovery_codes')
          .values(hashes.map((hash) => ({ hash, user_id: userId })))
          .execute();
      });
    },
    async useRecoveryCode(userId, code) {
      const rows = await db.selectFrom('recovery_codes').select('hash').where('user_id', '=', userId).execute();
      const hash = await passwords.find(
        code,
        rows.map((row) => row.hash),
      );
      if (hash === undefined) return false;
      const used = await db.deleteFrom('recovery_codes').where('hash', '=', hash).executeTakeFirst();
      return used.numDeletedRows === 1n;
    },
  } satisfies Partial<Factors>;
}

function allOf(world: World) {
  const { db } = world;
  return {
    async of(userId) {
      const passkeys = await passkeyRows(db, userId);
      const app = await db.selectFrom('authenticators').selectAll().where('user_id', '=', userId).executeTakeFirst();
      const codes = await db.selectFrom('recovery_codes').select('hash').where('user_id', '=', userId).execute();
      return {
        passkeys: passkeys.map((row) => publicPasskey(row)),
        ...(app === undefined ? {} : { authenticatorSince: app.created_at }),
        codesLeft: codes.length,
        required: await isRequired(db),
      };
    },
    reset: (userId) =>
      db.transaction().execute(async (writing) => {
        const user = await writing.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst();
        if (user === undefined) throw notFound('This administrator no longer exists.');
        for (const table of ['passkeys', 'authenticators', 'recovery_codes', 'tokens'] as const) {
          await writing.deleteFrom(table).where('user_id', '=', userId).execute();
        }
        return user;
      }),
    async require(isNowRequired) {
      if (isNowRequired) {
        const row = { name: REQUIREMENT, since: timestamp(world) };
        await db
          .insertInto('requirements')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      } else await db.deleteFrom('requirements').where('name', '=', REQUIREMENT).execute();
    },
  } satisfies Partial<Factors>;
}

/** Removes recovery codes with the last factor, since they only stand in for one. Throws 422 if one factor must remain. */
async function settleRemoval(writing: Writing, userId: number): Promise<void> {
  const [passkey, app] = await Promise.all([
    writing.selectFrom('passkeys').select('id').where('user_id', '=', userId).executeTakeFirst(),
    writing.selectFrom('authenticators').select('user_id').where('user_id', '=', userId).executeTakeFirst(),
  ]);
  if (passkey !== undefined || app !== undefined) return;
  if (await isRequired(writing)) {
    const message = 'A second factor is required here. Set up another one before you remove this.';
    throw new Refusal(422, { message, code: 'last-factor' });
  }
  await writing.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}

/** True if the owners require a second factor of everyone. */
export async function isRequired(db: Database): Promise<boolean> {
  const row = await db.selectFrom('requirements').select('since').where('name', '=', REQUIREMENT).executeTakeFirst();
  return row !== undefined;
}

/** The passkeys of an administrator, oldest first. */
function passkeyRows(db: Database, userId: number): Promise<PasskeyRow[]> {
  return db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('created_at').execute();
}

function passkeyOf(row: PasskeyRow): StoredPasskey {
  const { user_id, public_key, counter, transports } = row;
  const kept = { userId: user_id, publicKey: public_key, counter, transports: JSON.parse(transports) as string[] };
  return { ...publicPasskey(row), ...kept };
}

function publicPasskey({ id, name, created_at, used_at }: PasskeyRow) {
  return { id, name, createdAt: created_at, ...(used_at === null ? {} : { usedAt: used_at }) };
}

function rowOf({ id, userId, publicKey, counter, transports, name }: NewPasskey) {
  return { id, user_id: userId, public_key: publicKey, counter, transports: JSON.stringify(transports), name };
}

function gone(): Refusal {
  return notFound('This is no longer set up.');
}
