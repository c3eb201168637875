import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { backUp } from '../../server/commands/backup.ts';
import { restore } from '../../server/commands/restore.ts';
import { databasePath } from '../../server/stores/sqlite/database-file.ts';
import { openDatabase } from '../../server/stores/sqlite/open.ts';
import { lockDataFolder } from '../../server/stores/sqlite/sqlite-lock.ts';
import { certifications } from '../../src/domain/resources/certifications.ts';
import { formOf, freshFolder, signedIn } from './harness.ts';
import { picture, valuesFor } from './samples.ts';

const KEY = 'a key of twenty letters and more';
const AT = Date.parse('2026-11-20T12:34:56.789Z');
const ASIDE = 'before-restore-2026-11-20T12-34-56-789Z';

/** A stopped installation with one picture, and the path for its backups. */
async function stopped() {
  const { admin, app, dataDir } = await signedIn();
  const image = { field: 'image', bytes: await picture(), name: 'a.png', type: 'image/png' };
  await admin.post(certifications.endpoints.create, formOf(valuesFor(certifications.fields), [image]));
  const [stored] = await app.services.db.selectFrom('files').select('name').execute();
  await app.services.sizes.done();
  await app.close();
  return { dataDir, name: stored?.name ?? '', file: join(await freshFolder(), 'one.voltdesk') };
}

/** Everything in a data folder that a restore may touch. */
const contentOf = async (dataDir: string) => (await readdir(dataDir)).filter((name) => !name.includes('lock'));

test('restores a backup into a new folder, and keeps nothing aside', async () => {
  const { dataDir, name, file } = await stopped();
  await backUp(dataDir, file);
  const target = await freshFolder();
  const report = await restore({ dataDir: target, file, now: AT });
  expect([report.keptAside, report.damaged]).toEqual([undefined, []]);
  expect(await readFile(join(target, 'uploads', name))).toEqual(await readFile(join(dataDir, 'uploads', name)));
  expect((await contentOf(target)).toSorted()).toEqual(['uploads', 'voltdesk.sqlite']);
  for (const path of [join('uploads', name), 'voltdesk.sqlite'])
    expect((await stat(join(target, path))).mode & 0o777).toBe(0o600);
  lockDataFolder(target)();
});

test('keeps the earlier content aside completely, under the time of the restore', async () => {
  const { dataDir, name, file } = await stopped();
  await backUp(dataDir, file);
  await writeFile(join(dataDir, 'uploads', 'mine'), 'mine');
  const { keptAside } = await restore({ dataDir, file, now: AT });
  expect(keptAside).toBe(join(dataDir, ASIDE));
  expect((await readdir(join(dataDir, ASIDE))).toSorted()).toEqual(['uploads', 'voltdesk.sqlite']);
  expect(await readFile(join(dataDir, ASIDE, 'uploads', 'mine'), 'utf8')).toBe('mine');
  expect(await readdir(join(dataDir, 'uploads'))).not.toContain('mine');
  expect(await readdir(join(dataDir, 'uploads'))).toContain(name);
  lockDataFolder(dataDir)();
});

test('keeps the remaining files of a lost database aside, and uses none of them', async () => {
  const { dataDir, name, file } = await stopped();
  await backUp(dataDir, file);
  await rm(databasePath(dataDir));
  await writeFile(`${databasePath(dataDir)}-wal`, 'changes after the backup');
  await writeFile(join(dataDir, 'uploads', 'mine'), 'mine');
  expect((await restore({ dataDir, file, now: AT })).keptAside).toBe(join(dataDir, ASIDE));
  expect((await readdir(join(dataDir, ASIDE))).toSorted()).toEqual(['uploads', 'voltdesk.sqlite-wal']);
  expect(await readFile(join(dataDir, ASIDE, 'uploads', 'mine'), 'utf8')).toBe('mine');
  expect(await contentOf(dataDir)).not.toContain('voltdesk.sqlite-wal');
  expect(await readdir(join(dataDir, 'uploads'))).toContain(name);
  expect(await readdir(join(dataDir, 'uploads'))).not.toContain('mine');
});

test('refuses a backup with a damaged file by its name, and changes nothing', async () => {
  const { dataDir, name, file } = await stopped();
  await rm(join(dataDir, 'uploads', name));
  expect((await backUp(dataDir, file)).damaged).toEqual([name]);
  const before = await contentOf(dataDir);
  await expect(restore({ dataDir, file, now: AT })).rejects.toThrow(`The backup is damaged: ${name}`);
  expect(await contentOf(dataDir)).toEqual(before);
  lockDataFolder(dataDir)();
});

test('restores everything else from a damaged backup on request', async () => {
  const { dataDir, name, file } = await stopped();
  await rm(join(dataDir, 'uploads', name));
  await backUp(dataDir, file);
  const target = await freshFolder();
  await expect(restore({ dataDir: target, file, now: AT })).rejects.toThrow(
    '--despite-damage restores everything else',
  );
  expect((await restore({ dataDir: target, file, now: AT, despiteDamage: true })).damaged).toEqual([name]);
  const db = await openDatabase(target);
  onTestFinished(() => db.destroy());
  expect(await db.selectFrom('files').select('name').execute()).toEqual([{ name }]);
});

test('asks for the key of an encrypted backup, opens it with that key only, and takes no plain one for it', async () => {
  const { dataDir, file } = await stopped();
  await backUp(dataDir, file, KEY);
  const target = await freshFolder();
  await expect(restore({ dataDir: target, file, now: AT })).rejects.toThrow(
    `${file} is encrypted. BACKUP_KEY, as it was when the backup was made, opens it.`,
  );
  await expect(restore({ dataDir: target, file, now: AT, key: `${KEY}!` })).rejects.toThrow(
    'cannot be opened with this BACKUP_KEY',
  );
  expect(await contentOf(target)).toEqual([]);
  await restore({ dataDir: target, file, now: AT, key: KEY });
  expect((await contentOf(target)).toSorted()).toEqual(['uploads', 'voltdesk.sqlite']);
  const plain = `${file}.plain`;
  await backUp(dataDir, plain);
  await expect(restore({ dataDir: target, file: plain, now: AT, key: KEY })).rejects.toThrow(
    `${plain} is not encrypted, although BACKUP_KEY is set. To restore it on purpose, unset BACKUP_KEY.`,
  );
  expect((await restore({ dataDir: target, file: plain, now: AT })).keptAside).toBe(join(target, ASIDE));
});

test('refuses to restore over a running server', async () => {
  const { dataDir, file } = await stopped();
  await backUp(dataDir, file);
  const unlock = lockDataFolder(dataDir);
  await expect(restore({ dataDir, file, now: AT })).rejects.toThrow();
  unlock();
  expect(existsSync(join(dataDir, ASIDE))).toBe(false);
  await restore({ dataDir, file, now: AT });
});

test.each(['../../evil', 'a/b', '/tmp/evil', '..', ''])(
  'refuses a backup that names the file "%s", and writes nothing',
  async (evil) => {
    const { dataDir, name, file } = await stopped();
    await backUp(dataDir, file);
    const backup = new DatabaseSync(file, { enableForeignKeyConstraints: false });
    for (const table of ['files', 'backup_files'])
      backup.prepare(`UPDATE ${table} SET name = ? WHERE name = ?`).run(evil, name);
    backup.close();
    const target = await freshFolder();
    const restoring = { dataDir: target, file, now: AT, despiteDamage: true };
    await expect(restore(restoring)).rejects.toThrow('names a file that no server writes');
    expect(await contentOf(target)).toEqual([]);
  },
);
