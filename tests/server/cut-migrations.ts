import { cp } from 'node:fs/promises';
import { cpSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openSqlite } from '../../server/stores/sqlite/sqlite.ts';
import { openDatabase } from '../../server/stores/sqlite/open.ts';
import { freshFolder } from './harness.ts';

/** Every table, index and trigger of a data folder's database, with the migrations that made them. */
export async function shapeOf(dataDir: string) {
  const db = await openDatabase(dataDir);
  const { rows: things } = await sql`SELECT type, name, sql FROM sqlite_schema ORDER BY name`.execute(db);
  const { rows: migrations } = await sql`SELECT name FROM kysely_migration ORDER BY name`.execute(db);
  const { rows: lookups } = await sql`SELECT * FROM lookups`.execute(db);
  await db.destroy();
  return { things, migrations, lookups };
}

/** Migrates a new folder, and copies it before every statement: what a kill at that statement leaves behind. */
export async function cutAtEveryStatement(): Promise<readonly string[]> {
  const [dataDir, copies] = [await freshFolder(), await freshFolder()];
  const left: string[] = [];
  const open = (path: string) =>
    watched(openSqlite(path), () => {
      const copy = join(copies, String(left.length));
      cpSync(dataDir, copy, { recursive: true });
      left.push(copy);
    });
  const db = await openDatabase(dataDir, open);
  await db.destroy();
  const whole = join(copies, 'whole');
  await cp(dataDir, whole, { recursive: true });
  return [...left, whole];
}

/** Calls `before` ahead of every statement that is run. */
function watched(database: DatabaseSync, before: () => void): DatabaseSync {
  const prepare = database.prepare.bind(database);
  database.prepare = (text) => {
    const statement = prepare(text);
    const [all, run] = [statement.all.bind(statement), statement.run.bind(statement)];
    statement.all = ((...values: []) => (before(), all(...values))) as typeof statement.all;
    statement.run = ((...values: []) => (before(), run(...values))) as typeof statement.run;
    return statement;
  };
  return database;
}
