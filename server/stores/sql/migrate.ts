import { sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration';
import { readMigrations } from '../../migrations/index.ts';
import type { Database } from './tables.ts';

/** Migrates the tables to the current version. Throws if a newer version has used the database, or if a migration fails. */
export async function migrate(db: Database): Promise<void> {
  const { error } = await migratorOf(db).migrateToLatest();
  if (error !== undefined) {
    throw new Error('The database could not be brought up to date. Was it used by a newer Voltdesk?', { cause: error });
  }
}

/** Throws unless the tables are those of this version. Changes nothing. */
export async function assertCurrent(db: Database): Promise<void> {
  const known = Object.keys(await readMigrations());
  const done = new Set(await executedIn(db));
  if ([...done].some((name) => !known.includes(name)))
    throw new Error('The database was used by a newer Voltdesk. Use the commands of the release that runs.');
  if (known.some((name) => !done.has(name)))
    throw new Error(
      'The database is that of an older Voltdesk. Use the commands of the release that runs, or start the server of this one first: only a start brings a database up to date.',
    );
}

async function executedIn(db: Database): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  // a first start that was killed leaves a database without tables
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return [];
  const { rows } = await sql<{ name: string }>`SELECT name FROM ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db);
  return rows.map(({ name }) => name);
}

function migratorOf(db: Database): Migrator {
  return new Migrator({ db, provider: { getMigrations: () => readMigrations() } });
}
