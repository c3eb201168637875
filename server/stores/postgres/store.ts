import { sql } from 'kysely';
import type { Engine } from '../sql/engine.ts';
import { lastSeq } from '../sql/feed.ts';
import type { Database } from '../sql/tables.ts';
import { listen } from './bell.ts';
import { filesInDatabase } from './files.ts';
import { openPostgres } from './open.ts';
import { openClient } from './pool.ts';
import { runningAmong } from './running.ts';
import { sharedAmong } from './shared/shared.ts';

export { startFault } from './start-fault.ts';

/**
 * Opens a PostgreSQL database, which several servers may share. Throws when it cannot be reached or is newer than this program.
 */
export async function openPostgresEngine(address: string): Promise<Engine> {
  const db = await openPostgres(address);
  const bell = listen(() => openClient(address));
  const ends: (() => void)[] = [];
  return {
    db,
    running: runningAmong(db),
    bell,
    filesOf: (place) => filesInDatabase(db, place),
    sharedBy(world) {
      const { shared, close } = sharedAmong(db, world);
      ends.push(close);
      return shared;
    },
    // Every change that lists show has a number.
    revision: async () => String(await lastSeq(db)),
    check: () => check(db),
    size: () => sizeOf(db),
    async close() {
      for (const end of ends) end();
      await bell.close();
      await db.destroy();
    },
  };
}

/** A server that waits to take over from another can be read, and takes nothing. */
async function check(db: Database): Promise<void> {
  const { rows } = await sql<{ mode: string }>`SELECT current_setting('transaction_read_only') AS mode`.execute(db);
  if (rows[0]?.mode !== 'off') throw new Error('The database takes no changes.');
}

async function sizeOf(db: Database): Promise<number> {
  const { rows } = await sql<{ size: number }>`SELECT pg_database_size(current_database()) AS size`.execute(db);
  return rows[0]?.size ?? 0;
}
