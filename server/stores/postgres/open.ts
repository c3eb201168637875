import { Kysely, sql } from 'kysely';
import type { Pool } from 'pg';
import { migrate } from '../sql/migrate.ts';
import type { Database, Tables } from '../sql/tables.ts';
import { prepareBackupNotes } from './backup-notes.ts';
import { postgresDialect } from './dialect.ts';
import { numberChanges } from './feed-triggers.ts';
import { prepareFiles } from './files.ts';
import { InItsWords } from './in-its-words.ts';
import { FOR_MIGRATIONS, FOR_REQUESTS, openPool, type PoolLimits } from './pool.ts';
import { prepareRunning } from './running.ts';
import { prepareShared } from './shared/tables.ts';
import { prepareUploads } from './shared/uploads.ts';

/**
 * Opens a PostgreSQL database and brings its tables up to date; servers that start together do it one after the other. Throws when it
 * cannot be reached or is newer than this program.
 */
export async function openPostgres(address: string, limits: Partial<PoolLimits> = {}): Promise<Database> {
  return (await openWithPool(address, limits)).db;
}

/** The same, and the connections that it works on; they end with it. */
export async function openWithPool(
  address: string,
  limits: Partial<PoolLimits>,
): Promise<{ db: Database; pool: Pool }> {
  await bringUpToDate(address);
  const pool = openPool(address, { ...FOR_REQUESTS, ...limits });
  return { db: new Kysely<Tables>({ dialect: postgresDialect(pool) }), pool };
}

/** On connections of its own, which are given more time. */
async function bringUpToDate(address: string): Promise<void> {
  const db = new Kysely<Tables>({ dialect: postgresDialect(openPool(address, FOR_MIGRATIONS)) });
  try {
    // told apart from a step that fails
    await sql`SELECT 1`.execute(db);
    await migrate(db.withPlugin(new InItsWords()));
    await db.transaction().execute(prepare);
    await numberChanges(db);
  } finally {
    await db.destroy();
  }
}

/** What SQLite has in other words. */
async function prepare(db: Database): Promise<void> {
  await sql`CREATE UNIQUE INDEX IF NOT EXISTS users_by_email ON users (lower(email))`.execute(db);
  await prepareRunning(db);
  await prepareFiles(db);
  await prepareShared(db);
  await prepareUploads(db);
  await prepareBackupNotes(db);
}
