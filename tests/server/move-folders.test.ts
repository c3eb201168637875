import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Installation, openInstallation } from '../../server/commands/installation.ts';
import { move, otherFiles } from '../../server/commands/move.ts';
import type { Database } from '../../server/stores/sql/tables.ts';
import { databasePath } from '../../server/stores/sqlite/database-file.ts';
import { openDatabase } from '../../server/stores/sqlite/open.ts';
import { openSqlite } from '../../server/stores/sqlite/sqlite.ts';
import { fileNames, realDisk } from '../../server/uploads/disk.ts';
import { type FileStore, filesOnDisk } from '../../server/uploads/file-store.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { formOf, freshFolder, signedIn } from './harness.ts';
import { filesFor, sha256, valuesFor } from './samples.ts';

/** A stopped installation with that many records of three files each. */
async function stopped(records: number) {
  const { admin, app, dataDir } = await signedIn();
  for (let n = 0; n < records; n += 1) {
    const form = formOf(valuesFor(generators.fields), await filesFor(generators, `mark ${n}`));
    await admin.post(generators.endpoints.create, form);
  }
  const files = await app.services.db.selectFrom('files').select(['name', 'sha256']).orderBy('name').execute();
  await app.services.sizes.done();
  await app.close();
  return { dataDir, files };
}

async function moved(dataDir: string) {
  const target = await freshFolder();
  const said: string[] = [];
  const from = await openInstallation(`sqlite:${dataDir}`, { isThere: true });
  const to = await openInstallation(`sqlite:${target}`, { isThere: false });
  const report = await move(from, to, (words) => said.push(words)).finally(async () => {
    await to.close();
    await from.close();
  });
  return { target, said, report };
}

test('moves every file between two folders, however many, and reports its progress', async () => {
  const { dataDir, files } = await stopped(7);
  expect(files).toHaveLength(21);
  const flush = vi.spyOn(realDisk, 'flush');
  const { target, said, report } = await moved(dataDir);
  expect(report).toMatchObject({ files: 21, differences: [] });
  expect(flush.mock.calls.flat()).toEqual(
    expect.arrayContaining(files.map(({ name }) => join(target, 'uploads', name))),
  );
  flush.mockRestore();
  expect(said).toEqual([
    `Moving 21 files from ${dataDir} to ${target}.`,
    'Moving the records.',
    `Comparing ${report.rows} rows and 21 files.`,
  ]);
  for (const { name, sha256: hash } of files) {
    expect(sha256(await readFile(join(target, 'uploads', name)))).toBe(hash);
    expect(sha256(await readFile(join(dataDir, 'uploads', name)))).toBe(hash);
  }
});

test('moves and counts intact files, and names those that are missing or damaged', async () => {
  const { dataDir, files } = await stopped(2);
  const [missing, damaged] = files.map(({ name }) => name) as [string, string];
  await rm(join(dataDir, 'uploads', missing));
  await writeFile(join(dataDir, 'uploads', damaged), 'damaged');
  const { target, report } = await moved(dataDir);
  expect(report.files).toBe(4);
  expect(report.differences).toEqual(
    [missing, damaged].map((name) => `file ${name}: missing or damaged in ${dataDir}`),
  );
  expect(await readdir(join(target, 'uploads'))).not.toContain(missing);
});

test('does not reuse the id of a deleted record after a move', async () => {
  const { app, dataDir } = await signedIn();
  const add = (db: Database) =>
    db
      .insertInto('partners' as 'records')
      .values({ version: 'v', created_at: '', updated_at: '' })
      .returning('id')
      .executeTakeFirstOrThrow();
  const { db } = app.services;
  for (let n = 0; n < 3; n += 1) await add(db);
  await db
    .deleteFrom('partners' as 'records')
    .where('id', '>', 1)
    .execute();
  await app.close();
  const { target } = await moved(dataDir);
  const there = await openDatabase(target);
  onTestFinished(() => there.destroy());
  expect((await add(there)).id).toBe(4);
});

/** An installation whose files are not in a folder but, say, in a database: they are fetched from or kept in its uploads. */
function withoutFolder(installation: Installation, dataDir: string, log: string[]): Installation {
  const lasting = join(dataDir, 'uploads');
  const filesIn = (folder: string): FileStore => ({
    ...filesOnDisk(folder, realDisk),
    async fetch(name) {
      await copyFile(join(lasting, name), join(folder, name));
    },
    async keep(names) {
      log.push(...names);
      for (const name of names) await copyFile(join(folder, name), join(lasting, name));
    },
  });
  return { ...installation, uploads: undefined, filesIn };
}

test('keeps only intact files where they are not in a folder, twenty at a time and never all at once', async () => {
  const { dataDir, files } = await stopped(8);
  const [missing, damaged] = files.map(({ name }) => name) as [string, string];
  await rm(join(dataDir, 'uploads', missing));
  await writeFile(join(dataDir, 'uploads', damaged), 'damaged');
  const target = await freshFolder();
  const from = await openInstallation(`sqlite:${dataDir}`, { isThere: true });
  const to = await openInstallation(`sqlite:${target}`, { isThere: false });
  const kept: string[] = [];
  let most = 0;
  const other = withoutFolder(to, target, kept);
  const counted: Installation = {
    ...other,
    filesIn: (folder) => {
      const store = other.filesIn(folder);
      const count = async () => (most = Math.max(most, (await fileNames(folder)).length));
      return { ...store, keep: async (names) => (await count(), store.keep(names)) };
    },
  };
  await mkdir(join(target, 'uploads'), { recursive: true });
  const report = await move(withoutFolder(from, dataDir, []), counted, () => undefined).finally(() => from.close());
  const [first] = files.slice(-1);
  const asked = [{ name: 'none', sha256: 'any' }, ...(first === undefined ? [] : [first])];
  expect(await otherFiles(counted, asked)).toEqual(['none']);
  await to.close();
  const sound = files.map(({ name }) => name).filter((name) => name !== missing && name !== damaged);
  expect(kept).toEqual(sound);
  expect(most).toBeLessThanOrEqual(20);
  expect(report.files).toBe(22);
  expect(report.differences).toEqual(
    [missing, damaged].map((name) => `file ${name}: missing or damaged in ${dataDir}`),
  );
});

test('moves into a folder whose database has no tables yet, as a killed move leaves it', async () => {
  const { dataDir } = await stopped(1);
  const target = await freshFolder();
  openSqlite(databasePath(target)).close();
  const from = await openInstallation(`sqlite:${dataDir}`, { isThere: true });
  const to = await openInstallation(`sqlite:${target}`, { isThere: false });
  expect(await move(from, to, () => undefined)).toMatchObject({ files: 3, differences: [] });
  await to.close();
  await from.close();
});
