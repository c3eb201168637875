import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { manageAdministrators } from '../../server/commands/admin.ts';
import { backUp } from '../../server/commands/backup.ts';
import { manageLookups } from '../../server/commands/lookups.ts';
import { restore } from '../../server/commands/restore.ts';
import { lockDataFolder } from '../../server/stores/sqlite/sqlite-lock.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { gridTieInverters } from '../../src/domain/resources/grid-tie-inverters.ts';
import { ADMIN, type Client, formOf, freshFolder, startServer, withKey } from './harness.ts';
import { filesFor, sha256, valuesFor } from './samples.ts';

async function world() {
  const server = await startServer();
  const { services } = server.app;
  const admin = (...words: string[]) => manageAdministrators({ ...services, randomBytes }, words);
  return { ...server, services, admin };
}

test('adds an administrator who can sign in with the password shown, and lists both', async () => {
  const { admin, client } = await world();
  const said = await admin('add', 'new@example.com', 'New', 'Person');
  const password = /Password: (\S+)/.exec(said)?.[1] ?? '';
  expect((await (await client()).signIn('new@example.com', password)).json().user.name).toBe('New Person');
  expect(await admin('list')).toMatch(/admin@example\.com.*\n.*new@example\.com/);
  await expect(admin('add', 'NEW@example.com')).rejects.toThrow('NEW@example.com is an administrator already.');
});

test('sets a new password and ends that administrator’s sessions', async () => {
  const { admin, client } = await world();
  const browser = await client();
  await browser.signIn();
  const password = /: (\S+)/.exec(await admin('reset-password', ADMIN.email))?.[1] ?? '';
  expect((await browser.get('/api/user')).statusCode).toBe(401);
  expect((await browser.signIn(ADMIN.email, password)).statusCode).toBe(200);
});

test('removes an administrator together with their sessions, but never the last one', async () => {
  const { admin, client, services } = await world();
  const browser = await client();
  await browser.signIn();
  await expect(admin('remove', ADMIN.email)).rejects.toThrow('At least one owner');
  await admin('add', 'new@example.com');
  await admin('remove', ADMIN.email);
  expect((await browser.get('/api/user')).statusCode).toBe(401);
  expect(await services.db.selectFrom('tokens').selectAll().execute()).toEqual([]);
});

test.each([[], ['dance'], ['add'], ['add', 'not an address'], ['remove', 'nobody@example.com']])(
  'rejects the command line %j',
  async (...words) => {
    const { admin } = await world();
    await expect(admin(...words)).rejects.toThrow();
  },
);

test('adds a value to a list and removes it, while records that have it keep it', async () => {
  const { services, client } = await world();
  const browser = await client();
  await browser.signIn();
  await manageLookups(services.db, ['add', 'generator-series', 'Nova Series']);
  const values = { ...valuesFor(generators.fields), series: 'Nova Series' };
  const { id } = (await browser.post(generators.endpoints.create, formOf(values, await filesFor(generators)))).json();
  await manageLookups(services.db, ['remove', 'generator-series', 'Nova Series']);
  expect((await browser.get('/api/get-generators-series')).json()).not.toContain('Nova Series');
  expect((await browser.get(`${generators.endpoints.single}/${id}`)).json().series).toBe('Nova Series');
});

test('lets a record keep a value removed from its list through edits, and gives it to no other record', async () => {
  const { services, client } = await world();
  const browser = await client();
  await browser.signIn();
  await manageLookups(services.db, ['add', 'gti-brands', 'Three Phase', 'Nova']);
  const values = { ...valuesFor(gridTieInverters.fields), type: 'Three Phase', brand: 'Nova' };
  const { create, single } = gridTieInverters.endpoints;
  const files = await filesFor(gridTieInverters);
  const { id } = (await browser.post(create, formOf(values, files))).json();
  await manageLookups(services.db, ['remove', 'gti-brands', 'Three Phase', 'Nova']);
  const edited = await browser.post(`${single}/${id}`, formOf({ ...values, capacity: '12 kW' }));
  expect([edited.statusCode, (await browser.get(`${single}/${id}`)).json()]).toMatchObject([
    200,
    { brand: 'Nova', capacity: '12 kW' },
  ]);
  const refused = [
    await browser.post(`${single}/${id}`, formOf({ ...values, type: 'Single Phase' })),
    await browser.post(create, formOf(values, files)),
  ];
  for (const answer of refused) expect(answer.json().errors).toEqual({ brand: ['The selected brand is invalid.'] });
});

test('keeps inverter brands by type', async () => {
  const { services, client } = await world();
  const browser = await client();
  await browser.signIn();
  await manageLookups(services.db, ['add', 'gti-brands', 'Three Phase', 'Nova']);
  expect((await browser.post('/api/get-gti-brands', { type: 'Three Phase' })).json()).toContain('Nova');
  expect((await browser.post('/api/get-gti-brands', { type: 'Single Phase' })).json()).not.toContain('Nova');
  expect((await browser.post('/api/get-gti-brands', formOf({ type: 'Three Phase' }))).json()).toContain('Nova');
  expect((await browser.post('/api/get-gti-brands', { type: 'Unknown' })).json()).toEqual([]);
  await expect(manageLookups(services.db, ['add', 'gti-brands', 'Nova'])).rejects.toThrow('Single Phase, Three Phase');
});

test('lets only one server at a time use a data folder', async () => {
  const folder = await freshFolder();
  const unlock = lockDataFolder(folder);
  expect(() => lockDataFolder(folder)).toThrow('Another Voltdesk');
  unlock();
  lockDataFolder(folder)();
});

test('does not report a data folder with a damaged lock file as in use', async () => {
  const folder = await freshFolder();
  await writeFile(join(folder, 'lock.sqlite'), 'damaged '.repeat(100));
  expect(() => lockDataFolder(folder)).toThrow('file is not a database');
});

/** Every record with the hashes of its files as served. */
async function everything(browser: Client): Promise<object[]> {
  const records = (await browser.get(`${generators.endpoints.list}?full=1`)).json() as { id: number }[];
  return Promise.all(
    records.map(async ({ id }) => {
      const record = (await browser.get(`${generators.endpoints.single}/${id}`)).json();
      const served = record.files.map(async (file: { name: string }) =>
        sha256((await browser.get(`/uploads/${file.name}`)).rawPayload),
      );
      return { ...record, served: await Promise.all(served) };
    }),
  );
}

test('backs up under load, and restores without a difference', async () => {
  const { client, dataDir } = await world();
  const browser = await client();
  await browser.signIn();
  const files = await filesFor(generators);
  const create = (mark: string) =>
    browser.post(generators.endpoints.create, formOf(valuesFor(generators.fields, mark), files), withKey());
  await Promise.all(['a', 'b', 'c', 'd'].map(create));

  const work = { goesOn: true, edits: 0 };
  const [edited] = (await browser.get(generators.endpoints.list)).json();
  const edit = formOf(valuesFor(generators.fields, 'e'));
  const editing = (async () => {
    for (; work.goesOn; work.edits += 1) await browser.post(`${generators.endpoints.single}/${edited.id}`, edit);
  })();
  const comingAndGoing = (async () => {
    for (let n = 0; work.goesOn; n += 1) {
      const { id } = (await create(`n${n}`)).json();
      await browser.post(`${generators.endpoints.single}/${id}`, formOf(valuesFor(generators.fields, `m${n}`), files));
      if (n % 2 === 0) await browser.post(`${generators.endpoints.delete}/${id}`, undefined);
    }
  })();
  await expect.poll(() => work.edits).toBeGreaterThan(0);
  const editsBefore = work.edits;
  const target = join(await freshFolder(), 'backup.voltdesk');
  const report = await backUp(dataDir, target);
  expect(work.edits).toBeGreaterThan(editsBefore);
  work.goesOn = false;
  await Promise.all([editing, comingAndGoing]);
  expect(report.damaged).toEqual([]);

  const elsewhere = await freshFolder();
  const restored = await restore({ dataDir: elsewhere, file: target, now: Date.now() });
  expect(restored).toMatchObject({ files: report.files, damaged: [], keptAside: undefined });
  const second = await startServer({ DATA_DIR: elsewhere });
  const reader = await second.client();
  await reader.signIn();
  const records = (await everything(reader)) as { files: { sha256: string }[]; served: string[] }[];
  expect(records.length).toBeGreaterThanOrEqual(4);
  for (const record of records) expect(record.served).toHaveLength(record.files.length);
  const known = await second.app.services.db.selectFrom('files').select(['name', 'sha256']).execute();
  const names = (await readdir(join(elsewhere, 'uploads'))).filter((name) => !name.startsWith('.'));
  expect(names.toSorted()).toEqual(known.map((file) => file.name).toSorted());
  for (const { name, sha256: hash } of known)
    expect(sha256(await readFile(join(elsewhere, 'uploads', name)))).toBe(hash);
});

test('restores over existing data, keeps that aside, and refuses while the server runs', async () => {
  const { client, dataDir, app } = await world();
  const browser = await client();
  await browser.signIn();
  const files = await filesFor(generators);
  await browser.post(generators.endpoints.create, formOf(valuesFor(generators.fields), files));
  const before = await everything(browser);
  const target = join(await freshFolder(), 'backup.voltdesk');
  await backUp(dataDir, target);
  await browser.post(generators.endpoints.create, formOf(valuesFor(generators.fields, 'later'), files));
  await app.close();

  const unlock = lockDataFolder(dataDir);
  await expect(restore({ dataDir, file: target, now: 0 })).rejects.toThrow('Another Voltdesk');
  unlock();
  const { keptAside = '' } = await restore({ dataDir, file: target, now: 0 });
  expect(await readdir(keptAside)).toContain('voltdesk.sqlite');
  const again = await startServer({ DATA_DIR: dataDir });
  const reader = await again.client();
  await reader.signIn();
  expect(await everything(reader)).toEqual(before);
});

test('moves a killed server’s write-ahead log aside, so that it cannot damage the restored database', async () => {
  const { app, dataDir } = await world();
  const target = join(await freshFolder(), 'backup.voltdesk');
  await backUp(dataDir, target);
  await app.close();
  for (const end of ['-wal', '-shm']) await writeFile(join(dataDir, `voltdesk.sqlite${end}`), 'left');
  const { keptAside = '' } = await restore({ dataDir, file: target, now: 0 });
  expect(await readdir(keptAside)).toContain('voltdesk.sqlite');
  const left = (await readdir(dataDir)).filter((name) => /-(wal|shm)$/.test(name));
  expect(left).toEqual([]);
});

test('leaves nothing of a failed backup', async () => {
  const { dataDir, services } = await world();
  await sql`ALTER TABLE files RENAME TO lost`.execute(services.db);
  const folder = await freshFolder();
  await expect(backUp(dataDir, join(folder, 'backup.voltdesk'))).rejects.toThrow('no such table');
  expect(await readdir(folder)).toEqual([]);
  expect(await services.db.selectFrom('file_holds').selectAll().execute()).toEqual([]);
});

test('never overwrites a file with a backup, and refuses to restore a file that is not one', async () => {
  const { dataDir } = await world();
  const folder = await freshFolder();
  const file = join(folder, 'precious');
  await writeFile(file, 'precious');
  await expect(backUp(dataDir, file)).rejects.toThrow('exists already');
  await expect(restore({ dataDir: folder, file, now: 0 })).rejects.toThrow('cannot be read as a backup');
  await expect(restore({ dataDir: folder, file: join(folder, 'nothing'), now: 0 })).rejects.toThrow('There is no file');
  expect(await readFile(file, 'utf8')).toBe('precious');
});

test('names the missing target folder of a backup, and a data folder without a database', async () => {
  const { dataDir } = await world();
  const empty = await freshFolder();
  await expect(backUp(dataDir, join(empty, 'none', 'backup'))).rejects.toThrow(
    `There is no folder ${join(empty, 'none')}`,
  );
  await expect(backUp(empty, join(empty, 'backup'))).rejects.toThrow(`There is no database in ${empty}`);
  expect(await readdir(empty)).toEqual([]);
});

test('reports damaged files when it backs up, and refuses to restore such a backup', async () => {
  const { client, dataDir, services } = await world();
  const browser = await client();
  await browser.signIn();
  await browser.post(generators.endpoints.create, formOf(valuesFor(generators.fields), await filesFor(generators)));
  const [file] = await services.db.selectFrom('files').select('name').execute();
  await writeFile(join(dataDir, 'uploads', file?.name ?? ''), 'damaged');
  const target = join(await freshFolder(), 'backup.voltdesk');
  expect((await backUp(dataDir, target)).damaged).toEqual([file?.name]);
  const refused = () =>
    expect(restore({ dataDir: elsewhere, file: target, now: Date.now() })).rejects.toThrow(
      `The backup is damaged: ${file?.name}`,
    );
  const elsewhere = await freshFolder();
  await refused();
  // a file missing from the backup counts as damaged
  const backup = new DatabaseSync(target);
  backup.prepare('DELETE FROM backup_files WHERE name = ?').run(file?.name ?? '');
  backup.close();
  await refused();
  expect(await readdir(elsewhere)).toEqual(['lock.sqlite']);
});
