import { Kysely } from 'kysely';
import { prepareDataFolder } from '../../ops/data-folder.ts';
import { databasePath } from './database-file.ts';
import { numberChanges } from './feed-triggers.ts';
import { openSqlite } from './sqlite.ts';
import { nodeSqliteDialect, type Watch } from './sqlite-dialect.ts';
import { assertCurrent, migrate } from '../sql/migrate.ts';
import type { Database, Tables } from '../sql/tables.ts';

/**
 * Opens the database of a data folder and brings its tables up to date, in one transaction. Throws when it is damaged or newer than
 * this program, and without `migrates`, as for a command beside a server, also when it is older.
 */
export async function openDatabase(dataDir: string, open = openSqlite, migrates = true): Promise<Database> {
  prepareDataFolder(dataDir);
  return databaseOver(open(databasePath(dataDir)), { migrates });
}

interface Use extends Watch {
  readonly migrates?: boolean;
}

/** As `openDatabase`, over a database file that is open. Closes it if it cannot be used. */
export async function databaseOver(
  database: ReturnType<typeof openSqlite>,
  { migrates = true, ...watch }: Use,
): Promise<Database> {
  const db = new Kysely<Tables>({ dialect: nodeSqliteDialect(database, watch) });
  try {
    if (migrates) {
      await db.transaction().execute(async (writing) => {
        await migrate(writing);
        await numberChanges(writing);
      });
    } else await assertCurrent(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return db;
}
