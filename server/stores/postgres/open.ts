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
 * Opens a PostgreSQL database and migrates its tables. Servers that start together do so one after another. Throws if the
 * database is unreachable or newer than this program.
 */
export async function openPostgres(address: string, limits: Partial<PoolLimits> = {}): Promise<Database> {
  return (await openWithPool(address, limits)).db;
}

/** Opens a database like `openPostgres` and returns its pool too. The pool closes with the database. */
export async function openWithPool(
  address: string,
  limits: Partial<PoolLimits>,
): Promise<{ db: Database; pool: Pool }> {
  await bringUpToDate(address);
  const pool = openPool(address, { ...FOR_REQUESTS, ...limits });
  return { db: new Kysely<Tables>({ dialect: postgresDialect(pool) }), pool };
}

/** Migrates on separate connections with longer time-outs. */
async function bringUpToDate(address: string): Promise<void> {
  const db = new Kysely<Tables>({ dialect: postgresDialect(openPool(address, FOR_MIGRATIONS)) });
  try {
    // distinguishes an unreachable database from a failing step
    await sql`SELECT 1`.execute(db);
    await migrate(db.withPlugin(new InItsWords()));
    await db.transaction().execute(prepare);
    await numberChanges(db);
  } finally {
    await db.destroy();
  }
}

/** Creates what SQLite provides in other ways. */
async function prepare(db: Database): Promise<void> {
  await sql`CREATE UNIQUE INDEX IF NOT EXISTS users_by_email ON users (lower(email))`.execute(db);
  await prepareRunning(db);
  await prepareFiles(db);
  await prepareShared(db);
  await prepareUploads(db);
  await prepareBackupNotes(db);
}
