import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { SharedWorld } from '../../shared/shared.ts';
import type { Engine } from '../sql/engine.ts';
import { positionNow } from '../sql/epochs.ts';
import type { Database, Writing } from '../sql/tables.ts';
import { DatabaseAway, DatabaseReadOnly } from './away.ts';
import { backupNotesAmong } from './backup-notes.ts';
import { listen } from './bell.ts';
import { filesInDatabase } from './files.ts';
import { identityOf } from './identity.ts';
import { openWithPools } from './open.ts';
import { openClient, type PoolLimits } from './pool.ts';
import { remoteReads } from './remote-reads.ts';
import { runningAmong } from './running.ts';
import { clockOf, clockProblem } from './shared/clock.ts';
import { sharedAmong } from './shared/shared.ts';

export { startFault } from './start-fault.ts';

/**
 * Opens a PostgreSQL database, which several servers may share. Throws if it is unreachable or newer than this program.
 */
export async function openPostgresEngine(
  address: string,
  { now, ...limits }: Partial<PoolLimits> & Pick<SharedWorld, 'now'> = {},
): Promise<Engine> {
  const { db, pool } = await openWithPools(address, limits, 'start');
  const bell = listen(() => openClient(address));
  const ends: (() => void)[] = [];
  return {
    db,
    running: runningAmong(db, clockOf(now)),
    bell,
    onReconnect: bell.onReconnect,
    countId,
    filesOf: (place) => filesInDatabase(db, place),
    sharedBy(world) {
      const { shared, close } = sharedAmong(db, world);
      ends.push(close);
      return shared;
    },
    backups: backupNotesAmong(db),
    // Every change visible in lists has a number.
    revision: async () => Object.values(await positionNow(db)).join('.'),
    remote: remoteReads(db, pool),
    identity: () => identityOf(db),
    clockProblem: (at) => clockProblem(db, at),
    check: () => check(db),
    size: () => sizeOf(db),
    async close() {
      for (const end of ends) end();
      await bell.close();
      await db.destroy();
    },
  };
}

/** The longest wait of a readiness check. Milliseconds. */
const ANSWER_TIME = 3000;

/** Throws if the database does not answer or is read-only: a standby can be read but accepts no changes. */
async function check(db: Database): Promise<void> {
  const asking = sql<{ mode: string }>`SELECT current_setting('transaction_read_only') AS mode`.execute(db);
  const { rows } = await Promise.race([asking, silence(ANSWER_TIME)]);
  if (rows[0]?.mode !== 'off') throw new DatabaseReadOnly();
}

async function silence(milliseconds: number): Promise<never> {
  await pause(milliseconds, undefined, { ref: false });
  throw new DatabaseAway(new Error('It does not answer.'));
}

async function sizeOf(db: Database): Promise<number> {
  const { rows } = await sql<{ size: number }>`SELECT pg_database_size(current_database()) AS size`.execute(db);
  return rows[0]?.size ?? 0;
}

async function countId(writing: Writing, table: string, id: number): Promise<void> {
  const sequence = sql`pg_get_serial_sequence(${table}, 'id')`;
  await sql`SELECT setval(${sequence}, GREATEST(${id}, nextval(${sequence})))`.execute(writing);
}
