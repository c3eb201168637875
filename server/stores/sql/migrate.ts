import { Migrator } from 'kysely/migration';
import { readMigrations } from '../../migrations/index.ts';
import type { Database } from './tables.ts';

/** Migrates the tables to the current version. Throws if a newer version has used the database, or if a migration fails. */
export async function migrate(db: Database): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => readMigrations() } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    throw new Error('The database could not be brought up to date. Was it used by a newer Voltdesk?', { cause: error });
  }
}
