import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openInstallation } from '../../../server/commands/installation.ts';
import { move, namedFiles, otherFiles } from '../../../server/commands/move.ts';
import { sql } from 'kysely';
import { generators } from '../../../src/domain/resources/generators.ts';
import { partners } from '../../../src/domain/resources/partners.ts';
import { type Client, formOf, freshFolder, keepRecordsIn, startServer, signedIn, withKey } from '../harness.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { isInUse } from './in-use.ts';
import { openPostgres } from '../../../server/stores/postgres/open.ts';
import { differencesOf } from '../../../server/stores/sql/differences.ts';
import { openDatabase } from '../../../server/stores/sqlite/open.ts';
import { lockDataFolder } from '../../../server/stores/sqlite/sqlite-lock.ts';
import { create, page, readOn } from '../feed-client.ts';
import { untouchedDatabase } from '../on-postgres.ts';
import { filesFor, sha256, valuesFor } from '../samples.ts';

// here a server's settings say where its records are
keepRecordsIn({ openDatabase });

const quiet = () => undefined;
const KEY = withKey();
const SAMPLE = 'CREATE TABLE later (id INTEGER PRIMARY KEY, word TEXT)';

async function moveBetween(source: string, target: string) {
  const from = await openInstallation(source, { isThere: true });
  const to = await openInstallation(target, { isThere: false }).catch(async (error: unknown) => {
    await from.close();
    throw error;
  });
  return move(from, to, quiet).finally(async () => {
    await to.close();
    await from.close();
  });
}

/** Records with files, deleted ones, edits, a used key and a session, on the embedded database. */
async function installation() {
  const server = await signedIn();
  const { admin, app } = server;
  const form = formOf(valuesFor(generators.fields), await filesFor(generators));
  const created = (await admin.post(generators.endpoints.create, form, KEY)).json();
  const gone = await create(admin, partners, 'gone');
  await create(admin, partners, 'kept');
  const { cursor } = await page(admin, undefined);
  await admin.post(`${partners.endpoints.delete}/${gone}`, undefined);
  await admin.post(`${generators.endpoints.single}/${created.id}`, formOf(valuesFor(generators.fields, 'edited')));
  await app.services.sizes.done();
  // more rows than are read at once
  const choices = Array.from({ length: 1001 }, (_, i) => ({ lookup: 'x', parent: '', value: `${i}` }));
  await app.services.db.insertInto('lookups').values(choices).execute();
  return { ...server, form, created, cursor, gone };
}

/** What a browser sees of it. */
async function seen(client: Client, cursor: string) {
  const pages = await readOn(client, cursor);
  const lists = [generators, partners].map(async ({ endpoints }) =>
    (await client.get(`${endpoints.list}?full=1`)).json(),
  );
  const history = (await client.get('/api/activity')).json();
  return { pages, lists: await Promise.all(lists), history };
}

test('moves a whole installation to PostgreSQL and back with sessions, keys, cursors, ids and every byte', async () => {
  const { admin, app, dataDir, form, created, cursor, gone } = await installation();
  const before = await seen(admin, cursor);
  const bearer = admin.bearer();
  await app.close();
  const address = await untouchedDatabase();
  const there = await moveBetween(`sqlite:${dataDir}`, address);
  expect(there.differences).toEqual([]);
  expect(there.rows).toBeGreaterThan(1020);

  const shared = await startServer({ DATABASE_URL: address });
  const client = await shared.client();
  client.useBearer(bearer);
  expect(await seen(client, cursor)).toEqual(before);
  const again = await client.post(generators.endpoints.create, form, KEY);
  expect([again.headers['idempotent-replayed'], again.json()]).toEqual(['true', created]);
  const { catalog, files } = (await client.get(`${generators.endpoints.single}/${created.id}`)).json();
  const stored = files.find(({ name }: { name: string }) => name === catalog);
  expect(sha256((await client.get(`/uploads/${catalog}`)).rawPayload)).toBe(stored.sha256);
  const next = await create(client, partners, 'next');
  expect(next).toBeGreaterThan(gone);
  const after = await seen(client, cursor);
  expect(after.pages).not.toEqual(before.pages);
  await shared.app.close();

  const home = await freshFolder();
  const { differences, rows } = await moveBetween(address, `sqlite:${home}`);
  expect(differences).toEqual([]);
  expect(rows).toBeGreaterThan(1020);
  const back = await startServer({ DATA_DIR: home });
  const reader = await back.client();
  reader.useBearer(bearer);
  expect(await seen(reader, cursor)).toEqual(after);
  expect(await create(reader, partners, 'last')).toBe(next + 1);
});

/** A stopped installation on its own kind of database. */
async function closed() {
  const { app, dataDir } = await installation();
  await app.close();
  return { dataDir, source: `sqlite:${dataDir}`, address: await untouchedDatabase(`moved_${(databases += 1)}`) };
}
let databases = 0;

async function statement(dataDir: string, text: string): Promise<void> {
  const db = await openDatabase(dataDir);
  await sql.raw(text).execute(db);
  await db.destroy();
}

async function onDatabase(address: string, text: string): Promise<unknown[]> {
  const db = await openPostgres(address);
  const { rows } = await sql.raw(text).execute(db);
  await db.destroy();
  return rows;
}

test('moves a table added later, and refuses one that only one side has', async () => {
  const { dataDir, source, address } = await closed();
  await statement(dataDir, SAMPLE);
  await statement(dataDir, `INSERT INTO later VALUES (7, 'seven')`);
  await expect(moveBetween(source, address)).rejects.toThrow('Only one of the two databases has later.id, later.word.');
  await onDatabase(address, SAMPLE);
  expect(await moveBetween(source, address)).toMatchObject({ differences: [] });
  expect(await onDatabase(address, 'SELECT * FROM later')).toEqual([{ id: 7, word: 'seven' }]);
});

test('leaves an empty target after a failed move, which accepts the next one', async () => {
  const { dataDir, source, address } = await closed();
  await statement(dataDir, `UPDATE partners SET name = 'no' || char(0) || 'text'`);
  await expect(moveBetween(source, address)).rejects.toThrow('invalid byte sequence');
  await statement(dataDir, `UPDATE partners SET name = 'text'`);
  expect(await moveBetween(source, address)).toMatchObject({ differences: [] });
});

test('treats a database as free whose server stopped a moment ago, though its connections linger', async () => {
  const address = await untouchedDatabase('stopped');
  const db = await openPostgres(address);
  const leaving = pause(500).then(() => db.destroy());
  await sql`SELECT 1`.execute(db);
  expect(await isInUse(address)).toBe(false);
  await leaving;
});

test('refuses a target that is not empty or in use, with a message', async () => {
  const { source, address, dataDir } = await closed();
  const server = await startServer({ DATABASE_URL: address });
  await expect(moveBetween(source, address)).rejects.toThrow(
    /^A Voltdesk server works on the database .*moved_\d\. Stop every one of them first\.$/,
  );
  await server.app.close();
  await expect(moveBetween(source, address)).rejects.toThrow(
    /moved_\d is not empty: it has users\. A move never replaces anything\.$/,
  );
  const unlock = lockDataFolder(dataDir);
  await expect(moveBetween(address, source)).rejects.toThrow('Another Voltdesk is using');
  unlock();
  await expect(moveBetween(`sqlite:${await freshFolder()}`, address)).rejects.toThrow('There is no database in');
  await expect(moveBetween('somewhere', address)).rejects.toThrow('neither sqlite:FOLDER nor postgres://');
});

test('names every difference: changed, missing or extra rows, later ids, and damaged files', async () => {
  const { dataDir, source, address } = await closed();
  const stored = await readdir(join(dataDir, 'uploads'));
  const [lost = ''] = stored.filter((name) => name.endsWith('.pdf'));
  const [missing = '', other = ''] = stored.filter((name) => /^\w+\.(jpg|png|webp)$/.test(name));
  await writeFile(join(dataDir, 'uploads', lost), 'damaged');
  await rm(join(dataDir, 'uploads', missing));
  const { differences } = await moveBetween(source, address);
  const told = (names: string[], place: string) =>
    names.toSorted().map((name) => `file ${name}: missing or damaged in ${place}`);
  expect(differences).toEqual(told([lost, missing], dataDir));
  const moved = await onDatabase(address, 'SELECT name FROM stored_files');
  expect(moved).toContainEqual({ name: other });
  for (const name of [lost, missing]) expect(moved).not.toContainEqual({ name });
  await onDatabase(address, `UPDATE stored_pieces SET bytes = 'x' WHERE name = '${other}'`);
  const back = await moveBetween(address, `sqlite:${await freshFolder()}`);
  expect(back.differences.map((words) => words.split(' in ')[0])).toEqual(
    told([lost, missing, other], '').map((words) => words.split(' in ')[0]),
  );
  const from = await openInstallation(source, { isThere: true });
  const to = await openInstallation(address, { isThere: true });
  onTestFinished(async () => {
    await from.close();
    await to.close();
  });
  expect(await otherFiles(to, await namedFiles(to.whole.db))).toEqual([lost, missing, other].toSorted());
  await sql`UPDATE partners SET name = 'another'`.execute(to.whole.db);
  await sql`DELETE FROM secrets WHERE name = 'anti-forgery'`.execute(to.whole.db);
  await sql`SELECT nextval(pg_get_serial_sequence('users', 'id'))`.execute(to.whole.db);
  const found = await to.whole.atOneMoment((reading) =>
    differencesOf({ whole: from.whole, reading: from.whole.db }, { whole: to.whole, reading }),
  );
  expect(found.filter((one) => !one.startsWith('feed: '))).toEqual([
    'partners: not there, or otherwise: 1 row (id 2)',
    'partners: too much, or otherwise: 1 row (id 2)',
    'secrets: not there, or otherwise: 1 row',
    'users: the ids have come to 1 there and to 2 here',
  ]);
});
