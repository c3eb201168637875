import { Kysely } from 'kysely';
import { prepareDataFolder } from '../../data-folder.ts';
import { databasePath } from './database-file.ts';
import { numberChanges } from './feed-triggers.ts';
import { openSqlite } from './sqlite.ts';
import { nodeSqliteDialect } from './sqlite-dialect.ts';
import { migrate } from '../sql/migrate.ts';
import type { Database, Tables } from '../sql/tables.ts';

/** Opens the database of a data folder and brings its tables up to date, in one transaction. Throws when it is damaged or newer than this program. */
export async function openDatabase(dataDir: string, open = openSqlite): Promise<Database> {
  prepareDataFolder(dataDir);
  const db = new Kysely<Tables>({ dialect: nodeSqliteDialect(open(databasePath(dataDir))) });
  try {
    await db.transaction().execute(async (writing) => {
      await migrate(writing);
      await numberChanges(writing);
    });
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return db;
}
