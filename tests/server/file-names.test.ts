import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { up } from '../../server/migrations/007-epochs.ts';
import { copyRows } from '../../server/stores/sql/whole.ts';
import { openDatabase } from '../../server/stores/sqlite/open.ts';
import { wholeSqlite } from '../../server/stores/sqlite/whole-sqlite.ts';
import { realDisk } from '../../server/uploads/disk.ts';
import { filesOnDisk } from '../../server/uploads/file-store.ts';
import { place } from '../../server/uploads/storage.ts';
import { freshFolder } from './harness.ts';

test('stores no NUL in the name of a file', async () => {
  const folder = await freshFolder();
  await mkdir(join(folder, '.incoming'));
  const path = join(folder, '.incoming', 'one');
  await writeFile(path, 'pdf');
  const limits = { maxFileBytes: 10, maxRequestBytes: 10, maxFiles: 1 };
  const files = filesOnDisk(folder, realDisk);
  const storage = { folder, disk: realDisk, files, limits, randomBytes, now: Date.now };
  const received = { field: 'catalog', path, size: 3, sha256: '', type: 'application/pdf' } as const;
  const stored = await place(storage, { ...received, originalName: 'a\0b.pdf' }, 'application/pdf', { by: 'test' });
  expect(stored.original_name).toBe('ab.pdf');
});

test('cleans the names that an earlier version has stored, and names a row that another database cannot store', async () => {
  const [db, other] = [await openDatabase(await freshFolder()), await openDatabase(await freshFolder())];
  const file = { type: '', size: 0, sha256: '', received_size: 0, received_sha256: '', created_at: '' };
  const names = Array.from({ length: 501 }, (_, n) => String(n).padStart(4, '0'));
  await db
    .insertInto('files')
    .values(names.map((name) => ({ ...file, name, original_name: 'a\0b' })))
    .execute();
  const copy = () => db.transaction().execute((reading) => copyInto(reading));
  const copyInto = (reading: typeof db) =>
    other.transaction().execute((writing) => copyRows(wholeSqlite(db), reading, wholeSqlite(other), writing));
  await expect(copy()).rejects.toThrow('files, name "0000": original_name has a NUL character');
  await sql`DROP TABLE epochs`.execute(db);
  await sql`DROP TABLE unnamed_files`.execute(db);
  await up(db as unknown as Kysely<unknown>);
  expect(await db.selectFrom('files').select('original_name').distinct().execute()).toEqual([{ original_name: 'ab' }]);
  await copy();
  await Promise.all([db.destroy(), other.destroy()]);
});
