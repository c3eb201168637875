import { Kysely, sql } from 'kysely';
import type { Pool } from 'pg';
import { assertCurrent, migrate } from '../sql/migrate.ts';
import type { Database, Tables } from '../sql/tables.ts';
import { prepareBackupNotes } from './backup-notes.ts';
import { postgresDialect } from './dialect.ts';
import { numberChanges } from './feed-triggers.ts';
import { prepareFiles } from './files.ts';
import { InItsWords } from './in-its-words.ts';
import { FOR_COMMANDS, FOR_MIGRATIONS, FOR_REQUESTS, openPools, type PoolLimits } from './pool.ts';
import { prepareRunning } from './running.ts';
import { prepareShared } from './shared/tables.ts';
import { prepareUploads } from './shared/uploads.ts';

/**
 * Opens a PostgreSQL database and migrates its tables. Servers that start together do so one after another. Throws if the
 * database is unreachable or newer than this program.
 */
export async function openPostgres(
  address: string,
  limits: Partial<PoolLimits> = {},
  as: As = 'start',
): Promise<Database> {
  return (await openWithPools(address, limits, as)).db;
}

/**
 * Who opens a database. A start brings its tables up to date. A command beside servers does not. Both hold the installation shared. Whoever
 * holds it alone takes no share, and may create the tables of an empty database.
 */
export type As = 'start' | 'beside' | 'alone';

/** Opens a database like `openPostgres` and returns the pool for reads too. The pools close with the database. */
export async function openWithPools(
  address: string,
  limits: Partial<PoolLimits>,
  as: As,
): Promise<{ db: Database; pool: Pool }> {
  await prepareTables(address, as);
  const pools = openPools(address, {
    ...(as === 'alone' ? FOR_COMMANDS : FOR_REQUESTS),
    ...limits,
    shares: as !== 'alone',
  });
  return { db: new Kysely<Tables>({ dialect: postgresDialect(pools.reading, pools.writing) }), pool: pools.reading };
}

/** Migrates on separate connections with longer time-outs, or looks whether that has been done. */
async function prepareTables(address: string, as: As): Promise<void> {
  const pools = openPools(address, { ...FOR_MIGRATIONS, shares: as !== 'alone' });
  const db = new Kysely<Tables>({ dialect: postgresDialect(pools.reading, pools.writing) });
  try {
    // distinguishes an unreachable database from a failing step
    const { rows } = await sql`SELECT 1 FROM pg_tables WHERE schemaname = current_schema()
      AND tablename = 'kysely_migration'`.execute(db);
    if (as === 'beside' && rows.length === 0)
      throw new Error('The database is empty. The first start of a server makes its tables.');
    if (as !== 'start' && rows.length > 0) return await assertCurrent(db);
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
