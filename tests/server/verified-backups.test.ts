import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { backUp } from '../../server/commands/backup.ts';
import { restore } from '../../server/commands/restore.ts';
import { backupNotesIn } from '../../server/ops/last-backup.ts';
import { measured } from '../../server/ops/measured.ts';
import { positionNow } from '../../server/stores/sql/epochs.ts';
import { lastVerifiedBackup } from '../../server/stores/sql/verified-backup.ts';
import { databasePath } from '../../server/stores/sqlite/database-file.ts';
import { DatabaseUnusable } from '../../server/stores/sqlite/sqlite.ts';
import { readBackup } from '../../server/stores/sqlite/sqlite-read-backup.ts';
import { certifications } from '../../src/domain/resources/certifications.ts';
import { formOf, freshFolder, signedIn } from './harness.ts';
import { picture, valuesFor } from './samples.ts';

const KEY = 'a key of twenty letters and more';

/** A server with a picture, a way to add another, and a path for a backup. */
async function withPicture(environment: Record<string, string> = {}) {
  const server = await signedIn(environment);
  const folder = await freshFolder();
  const add = async (title: string) => {
    const file = { field: 'image', bytes: await picture(), name: 'a.png', type: 'image/png' };
    await server.admin.post(certifications.endpoints.create, formOf(valuesFor(certifications.fields, title), [file]));
  };
  await add('one');
  const newest = () => lastVerifiedBackup(server.app.services.backups, server.app.services.db);
  return { ...server, add, newest, folder, pathOf: (name: string) => join(folder, `${name}.voltdesk`) };
}

test.each([
  ['plain', ''],
  ['encrypted', KEY],
])('records up to which change a backup that was read back holds everything (%s)', async (_name, key) => {
  const { app, dataDir, add, newest, pathOf } = await withPicture();
  expect(await newest()).toBeUndefined();
  const position = await positionNow(app.services.db);
  await backUp(dataDir, pathOf('a'), key);
  await add('later');
  const { size, hash } = await measured(pathOf('a'));
  expect(await newest()).toMatchObject({
    file: pathOf('a'),
    damaged: 0,
    isEncrypted: key !== '',
    verified: { position, records: 1, files: 1, size, sha256: hash.toString('hex') },
  });
  await backUp(dataDir, pathOf('b'), key);
  expect(await newest()).toMatchObject({
    file: pathOf('b'),
    verified: { position: await positionNow(app.services.db) },
  });
});

test('does not count a backup in which a file is damaged: the one before it says what is safe', async () => {
  const { dataDir, newest, pathOf, add } = await withPicture();
  await backUp(dataDir, pathOf('sound'));
  await add('another');
  const [name = ''] = (await readdir(join(dataDir, 'uploads'))).filter((one) => !one.startsWith('.'));
  await writeFile(join(dataDir, 'uploads', name), 'other bytes');
  expect((await backUp(dataDir, pathOf('damaged'))).damaged).toEqual([name]);
  expect((await newest())?.file).toBe(pathOf('sound'));
  expect((await backupNotesIn(dataDir).all()).map(({ file }) => file)).toEqual([pathOf('damaged'), pathOf('sound')]);
});

test('forgets what later backups held once an older one was restored', async () => {
  const { app, dataDir, pathOf } = await withPicture();
  await backUp(dataDir, pathOf('old'));
  await app.close();
  const between = await signedIn({ DATA_DIR: dataDir });
  await backUp(dataDir, pathOf('new'));
  await between.app.close();
  await restore({ dataDir, file: pathOf('old'), now: Date.now() });
  const { app: after } = await signedIn({ DATA_DIR: dataDir });
  expect((await lastVerifiedBackup(after.services.backups, after.services.db))?.file).toBe(pathOf('old'));
});

test('gives no name to a backup that cannot be restored, and records none', async () => {
  const { dataDir, newest, folder, pathOf } = await withPicture();
  const database = new DatabaseSync(databasePath(dataDir), { timeout: 10_000 });
  database.exec('CREATE TABLE made (a INTEGER, b INTEGER AS (a + 1)); INSERT INTO made (a) VALUES (1)');
  database.close();
  await expect(backUp(dataDir, pathOf('bad'))).rejects.toThrow('cannot be restored');
  expect([await readdir(folder), await newest()]).toEqual([[], undefined]);
});

test('reads back every page and every file of a backup', async () => {
  const { dataDir, pathOf } = await withPicture();
  await backUp(dataDir, pathOf('a'));
  const { damaged, files } = readBackup(pathOf('a'));
  expect([damaged, files]).toEqual([[], 1]);
  const backup = new DatabaseSync(pathOf('a'));
  const name = backup.prepare('SELECT name FROM backup_files').get()?.['name'];
  backup.exec("UPDATE backup_files SET content = x'00'");
  expect(readBackup(pathOf('a')).damaged).toEqual([name]);
  backup.exec('DELETE FROM backup_files');
  backup.close();
  expect(readBackup(pathOf('a')).damaged).toEqual([name]);
  await writeFile(pathOf('b'), 'no backup at all');
  expect(() => readBackup(pathOf('b'))).toThrow(DatabaseUnusable);
});
