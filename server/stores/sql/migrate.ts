import { Migrator } from 'kysely/migration';
import { readMigrations } from '../../migrations/index.ts';
import type { Database } from './tables.ts';

/** Brings the tables up to date. Throws when a newer program has used the database, or a step of it fails. */
export async function migrate(db: Database): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => readMigrations() } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    throw new Error('The database could not be brought up to date. Was it used by a newer Voltdesk?', { cause: error });
  }
}
