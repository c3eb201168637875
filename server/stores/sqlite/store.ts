import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Services } from '../../services.ts';
import { bellOfOwn, type Engine } from '../sql/engine.ts';
import { runningHere } from '../sql/running.ts';
import { type OpenedStore, openStore } from '../sql/store.ts';
import type { Database } from '../sql/tables.ts';
import { databasePath } from './database-file.ts';
import { openDatabase } from './open.ts';
import type { openSqlite } from './sqlite.ts';

/**
 * Opens the store of a data folder: the records in the embedded SQLite database, the files beside it. Throws when the database is
 * damaged or newer than this program.
 */
export async function openSqliteStore(services: Services, open?: typeof openSqlite): Promise<OpenedStore> {
  const { dataDir } = services.settings;
  return openStore(services, engineOf(await openDatabase(dataDir, open), dataDir));
}

/** One process works on a data folder, so what it alone knows is all there is to know. */
function engineOf(db: Database, dataDir: string): Engine {
  return {
    db,
    running: runningHere(),
    bell: bellOfOwn(),
    revision: () => revisionOf(db),
    size: async () => (await stat(databasePath(dataDir))).size,
  };
}

/** `data_version` counts the commits of other processes, `total_changes` the rows changed by this one. */
async function revisionOf(db: Database): Promise<string> {
  const { rows } = await sql<{ revision: string }>`
    SELECT data_version || '/' || total_changes() AS revision FROM pragma_data_version`.execute(db);
  return rows[0]?.revision ?? '';
}
