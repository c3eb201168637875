import { spawnSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { backUpTo } from '../../server/commands/backup.ts';
import { rehearse } from '../../server/commands/rehearse.ts';
import { restore } from '../../server/commands/restore.ts';
import { withBackupFile } from '../../server/commands/stored-backup.ts';
import { backupsIn, timeIn } from '../../server/ops/backup-places.ts';
import { certifications } from '../../src/domain/resources/certifications.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import type { ObjectStorage } from '../harness/object-storage.ts';
import { formOf, freshFolder, signedIn } from './harness.ts';
import { picture, valuesFor } from './samples.ts';
import { withObjectStorage } from './with-object-storage.ts';

const KEY = 'a key of twenty letters and more';
const NOW = Date.parse('2026-11-28T12:00:00.000Z');
const NAME = 'voltdesk-2026-11-28T12-00-00-000Z.voltdesk';
const NOTHING = { back: 0, gone: 0, changed: 0 };

let storage: ObjectStorage;

withObjectStorage((started) => (storage = started));

/** A server with two certifications, and a backup of it. */
async function backedUp(key = '') {
  const server = await signedIn();
  const add = async (title: string) => {
    const file = { field: 'image', bytes: await picture(), name: `${title}.png`, type: 'image/png' };
    await server.admin.post(certifications.endpoints.create, formOf(valuesFor(certifications.fields, title), [file]));
  };
  for (const title of ['one', 'two']) await add(title);
  const folder = await freshFolder();
  const { file } = await backUpTo(server.dataDir, { folder, keep: 2, key, now: NOW });
  const here = { dataDir: server.dataDir, databaseUrl: '', uploadsUrl: '', file, name: NAME, key };
  return { ...server, add, file, here };
}

test('says how many records and files a restore would bring back, lose and change', async () => {
  const { admin, add, here } = await backedUp(KEY);
  expect(await rehearse(here)).toEqual({
    at: '2026-11-28T12:00:00.000Z',
    records: {},
    files: NOTHING,
    people: NOTHING,
    total: { records: 2, files: 2 },
    damaged: [],
    isNewer: false,
  });
  await add('three');
  await admin.post(`${certifications.endpoints.delete}/1`, formOf({}));
  await admin.post(`${certifications.endpoints.single}/2`, formOf(valuesFor(certifications.fields, 'changed')));
  const image = { field: 'image', bytes: await picture(), name: 'a.png', type: 'image/png' };
  await admin.post(partners.endpoints.create, formOf(valuesFor(partners.fields, 'four'), [image]));
  const { records, total } = await rehearse(here);
  expect(records).toEqual({
    certifications: { back: 1, gone: 1, changed: 1 },
    partners: { back: 0, gone: 1, changed: 0 },
  });
  expect(total).toEqual({ records: 2, files: 2 });
});

test('says what an empty installation would get, and what is wrong with a backup', async () => {
  const { here, file } = await backedUp();
  const dataDir = await freshFolder();
  const backup = new DatabaseSync(file);
  const name = String(backup.prepare('SELECT name FROM backup_files').get()?.['name']);
  backup.exec("INSERT INTO kysely_migration (name, timestamp) VALUES ('999-later', '')");
  backup.prepare("UPDATE backup_files SET content = x'00' WHERE name = ?").run(name);
  backup.close();
  expect(await rehearse({ ...here, dataDir })).toMatchObject({
    records: { certifications: { back: 2, gone: 0, changed: 0 } },
    files: { back: 2, gone: 0, changed: 0 },
    people: { back: 1, gone: 0, changed: 0 },
    damaged: [name],
    isNewer: true,
  });
  expect((await readdir(dataDir)).filter((one) => one !== 'lock.sqlite')).toEqual([]);
});

test('finds a backup by its name or as the latest, in the folder or in the bucket, and restores it', async () => {
  const { file, dataDir, here } = await backedUp();
  const key = `site/${NAME}`;
  storage.objects.set(key, { bytes: await readFile(file), metadata: {}, at: new Date() });
  const [empty, fresh] = [await freshFolder(), await freshFolder()];
  const settings = { dataDir: fresh, backupDir: empty, backupUrl: storage.address() };
  for (const named of [NAME, 'latest'])
    await withBackupFile(settings, named, async (fetched) =>
      expect(await readFile(fetched)).toEqual(await readFile(file)),
    );
  const report = await withBackupFile(settings, NAME, (fetched) =>
    restore({ dataDir: fresh, file: fetched, now: NOW }),
  );
  expect(report.files).toBe(2);
  expect((await readdir(fresh)).filter((name) => name.includes('.part'))).toEqual([]);
  const paths: string[] = [];
  for (const named of [file, NAME, 'latest'])
    await withBackupFile({ dataDir, backupDir: join(file, '..'), backupUrl: '' }, named, async (path) =>
      paths.push(path),
    );
  expect(paths).toEqual([file, file, file]);
  await expect(withBackupFile(settings, 'none', rehearseNothing)).rejects.toThrow(
    'There is no file none, and no backup of this name.',
  );
  expect(here.name).toBe(basename(file));
});

const rehearseNothing = () => Promise.reject(new Error('not to be called'));

test('prints what a restore would change, and the backups there are', async () => {
  const { file, dataDir } = await backedUp();
  const command = (...words: string[]) => {
    const env = { ...process.env, DATA_DIR: dataDir, BACKUP_DIR: join(file, '..'), BACKUP_KEY: '', BACKUP_URL: '' };
    return spawnSync(process.execPath, ['server/cli.ts', 'restore', ...words], { env, encoding: 'utf8' });
  };
  expect(command('latest', '--rehearse').stdout).toBe(
    'It holds 2 records and 2 files.\nA restore would change nothing.\n',
  );
  expect(command('--list').stdout).toBe(`${join(file, '..')}\n  ${NAME}  1 MB\n`);
  expect(command('--list', 'latest').stderr).toContain('npm run restore');
});

test('reads the time of a backup from its name', async () => {
  expect([timeIn(NAME), timeIn('by-hand.voltdesk')]).toEqual(['2026-11-28T12:00:00.000Z', undefined]);
  const folder = await freshFolder();
  for (const name of [NAME, NAME.replace('12-00', '13-00'), 'by-hand.voltdesk'])
    await writeFile(join(folder, name), '12');
  expect(await backupsIn(folder).list()).toEqual([
    { name: NAME.replace('12-00', '13-00'), size: 2 },
    { name: NAME, size: 2 },
  ]);
});
