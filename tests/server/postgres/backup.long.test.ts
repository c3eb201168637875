import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { backUp } from '../../../server/commands/backup.ts';
import { restore, restoreShared } from '../../../server/commands/restore.ts';
import { isSealed } from '../../../server/ops/sealed-file.ts';
import { openDatabase } from '../../../server/stores/sqlite/open.ts';
import { generators } from '../../../src/domain/resources/generators.ts';
import { partners } from '../../../src/domain/resources/partners.ts';
import { create, cursorNow, page } from '../feed-client.ts';
import { type Client, formOf, freshFolder, keepRecordsIn, signedIn, withKey } from '../harness.ts';
import { untouchedDatabase } from '../on-postgres.ts';
import { filesFor, sha256, valuesFor } from '../samples.ts';

// here a server's settings say where its records are
keepRecordsIn({ openDatabase });

const uploadsUrl = '';
let databases = 0;
const freshDatabase = () => untouchedDatabase(`backup_${(databases += 1)}`);
const newFile = async () => join(await freshFolder(), 'backup.voltdesk');

/** A server on its own PostgreSQL database. */
async function sharedServer() {
  const databaseUrl = await freshDatabase();
  return { databaseUrl, ...(await signedIn({ DATABASE_URL: databaseUrl })) };
}

/** Every generator with its files' hashes as served. */
async function everything(client: Client): Promise<object[]> {
  const records = (await client.get(`${generators.endpoints.list}?full=1`)).json() as { id: number }[];
  const whole = records.map(async ({ id }) => {
    const record = (await client.get(`${generators.endpoints.single}/${id}`)).json();
    const served = record.files.map(async ({ name }: { name: string }) =>
      sha256((await client.get(`/uploads/${name}`)).rawPayload),
    );
    return { ...record, served: await Promise.all(served) };
  });
  return Promise.all(whole);
}

test('backs up under load, and restores a backup of either database into either', async () => {
  const { admin, app, dataDir, databaseUrl } = await sharedServer();
  const files = await filesFor(generators);
  const make = (mark: string) =>
    admin.post(generators.endpoints.create, formOf(valuesFor(generators.fields, mark), files), withKey());
  await make('first');
  const work = { goesOn: true, rounds: 0 };
  const working = (async () => {
    for (; work.goesOn; work.rounds += 1) {
      const { id } = (await make(`n${work.rounds}`)).json();
      if (work.rounds % 2 === 0) await admin.post(`${generators.endpoints.delete}/${id}`, undefined);
    }
  })();
  await expect.poll(() => work.rounds).toBeGreaterThan(1);
  const file = await newFile();
  const report = await backUp(dataDir, file, '', { databaseUrl, uploadsUrl });
  work.goesOn = false;
  await working;
  await app.close();
  expect(report.damaged).toEqual([]);
  expect(await readdir(dataDir)).not.toContainEqual(expect.stringContaining('.part'));

  const home = await freshFolder();
  await restore({ dataDir: home, file, now: 0 });
  const embedded = await signedIn({ DATA_DIR: home });
  const records = await everything(embedded.admin);
  expect(records.length).toBeGreaterThan(1);
  const known = await embedded.app.services.db.selectFrom('files').select(['name', 'sha256']).execute();
  expect(known).toHaveLength(report.files);
  for (const one of known) expect(sha256(await readFile(join(home, 'uploads', one.name)))).toBe(one.sha256);

  const again = await newFile();
  await backUp(home, again);
  const address = await freshDatabase();
  const dataFolder = await freshFolder();
  const restoring = { databaseUrl: address, uploadsUrl, dataDir: dataFolder, file: again, key: '', now: 0 };
  // there was nothing to keep aside
  expect((await restoreShared(restoring)).keptAside).toBeUndefined();
  expect(await readdir(dataFolder)).toEqual([]);
  const shared = await signedIn({ DATABASE_URL: address });
  expect(await everything(shared.admin)).toEqual(records);
});

test('keeps earlier content aside on a restore over its own database, ends sessions, and reuses no id', async () => {
  const { admin, app, dataDir, databaseUrl } = await sharedServer();
  const kept = await create(admin, partners, 'kept');
  const file = await newFile();
  const key = 'a secret of twenty letters';
  await backUp(dataDir, file, key, { databaseUrl, uploadsUrl });
  const lost = await create(admin, partners, 'lost');
  const before = await cursorNow(admin);
  const restoring = { databaseUrl, uploadsUrl, dataDir, file, key, now: 0 };
  await expect(restoreShared(restoring)).rejects.toThrow('A Voltdesk server works on the database');
  await app.close();
  const { keptAside = '' } = await restoreShared(restoring);
  expect(await isSealed(keptAside)).toBe(true);

  const restored = await signedIn({ DATABASE_URL: databaseUrl });
  const old = { authorization: `Bearer ${admin.bearer()}` };
  expect((await restored.app.inject({ url: '/api/user', headers: old })).statusCode).toBe(401);
  const told = await page(restored.admin, before);
  expect(told.snapshot).toBe(true);
  expect(told.changed.partners).toMatchObject([{ id: kept }]);
  expect(await create(restored.admin, partners, 'new')).toBe(lost + 1);
  await restored.app.close();
  const home = await freshFolder();
  await restore({ dataDir: home, file: keptAside, now: 0, key });
  const aside = await signedIn({ DATA_DIR: home });
  expect((await page(aside.admin)).changed.partners).toMatchObject([{ id: kept }, { id: lost }]);
});

test('reports a damaged file on backup, repairs it on restore, and leaves an id gap in another database', async () => {
  const { admin, app, dataDir, databaseUrl } = await sharedServer();
  await create(admin, partners, 'one');
  const { db } = app.services;
  const { name } = await db.selectFrom('files').select('name').executeTakeFirstOrThrow();
  const good = await newFile();
  await backUp(dataDir, good, '', { databaseUrl, uploadsUrl });
  await sql`UPDATE stored_pieces SET bytes = 'x' WHERE name = ${name}`.execute(db);
  const bad = await newFile();
  expect((await backUp(dataDir, bad, '', { databaseUrl, uploadsUrl })).damaged).toEqual([name]);
  await app.close();
  const restoring = { databaseUrl, uploadsUrl, dataDir, key: '', now: 0 };
  await expect(restoreShared({ ...restoring, file: bad })).rejects.toThrow(`The backup is damaged: ${name}`);
  await restoreShared({ ...restoring, file: good });
  const mended = await signedIn({ DATABASE_URL: databaseUrl });
  expect((await mended.admin.get(`/uploads/${name}`)).statusCode).toBe(200);
  await mended.app.close();

  const address = await freshDatabase();
  await restoreShared({ databaseUrl: address, uploadsUrl, dataDir: await freshFolder(), file: good, key: '', now: 0 });
  const elsewhere = await signedIn({ DATABASE_URL: address });
  expect(await create(elsewhere.admin, partners, 'next')).toBeGreaterThan(1_000_000);
});
