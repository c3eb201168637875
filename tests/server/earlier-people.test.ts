import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, test } from 'vitest';
import { readMigrations } from '../../server/migrations/index.ts';
import { databasePath } from '../../server/stores/sqlite/database-file.ts';
import { openSqlite } from '../../server/stores/sqlite/sqlite.ts';
import { nodeSqliteDialect } from '../../server/stores/sqlite/sqlite-dialect.ts';
import { freshFolder, startServer } from './harness.ts';

test('makes owners of all administrators of an older installation', async () => {
  const dataDir = await freshFolder();
  const db = new Kysely<unknown>({ dialect: nodeSqliteDialect(openSqlite(databasePath(dataDir))) });
  await new Migrator({ db, provider: { getMigrations: () => readMigrations() } }).migrateTo('003-feed');
  const at = '2026-01-01T00:00:00Z';
  await sql`INSERT INTO users (name, email, password_hash, created_at, updated_at)
    VALUES ('Old', 'old@example.com', 'x', ${at}, ${at})`.execute(db);
  await db.destroy();
  const { app } = await startServer({ DATA_DIR: dataDir });
  expect(await app.services.db.selectFrom('users').select(['email', 'role']).execute()).toEqual([
    { email: 'old@example.com', role: 'owner' },
  ]);
});
