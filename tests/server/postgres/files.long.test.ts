import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { filesInDatabase } from '../../../server/stores/postgres/files.ts';
import { openPostgresEngine } from '../../../server/stores/postgres/store.ts';
import { generators } from '../../../src/domain/resources/generators.ts';
import { startCluster } from '../../harness/postgres.ts';
import { type Client, formOf, freshFolder, signedIn, startServer } from '../harness.ts';
import { notedDisk } from '../noted-disk.ts';
import { shareDatabase } from '../on-postgres.ts';
import { filesFor, valuesFor } from '../samples.ts';

type Server = Awaited<ReturnType<typeof startServer>>;

/** Longer than one piece of a stored file. */
const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(700_000), Buffer.from('\n%%EOF\n')]);

/** A generator with a long catalogue and a photo, created on one of two servers with separate disks. */
async function withGenerator() {
  // without a trash, a deletion removes files
  const one = await signedIn({ TRASH_DAYS: '0' });
  const photos = (await filesFor(generators)).filter(({ field }) => field !== 'catalog');
  const catalog = { field: 'catalog', bytes: new Uint8Array(PDF), name: 'long.pdf', type: 'application/pdf' };
  const form = formOf(valuesFor(generators.fields), [catalog, ...photos]);
  const { id } = (await one.admin.post(generators.endpoints.create, form)).json();
  const record = (await one.admin.get(`${generators.endpoints.single}/${id}`)).json();
  await one.app.services.sizes.done();
  const names = { catalog: String(record.catalog), photo: String(record.images[0].image) };
  return { one, id: Number(id), names, uploads: join(one.dataDir, 'uploads') };
}

async function another(one: Server): Promise<Server> {
  const dataDir = await freshFolder();
  shareDatabase(one.dataDir, dataDir);
  return startServer({ DATA_DIR: dataDir });
}

const get = ({ app }: Server, path: string) =>
  app.inject({ url: `/uploads/${path}`, headers: { accept: 'image/webp' } });
const keptIn = async ({ app }: Server) => {
  const { rows } = await sql<{ name: string }>`SELECT name FROM stored_files ORDER BY name`.execute(app.services.db);
  return rows.map(({ name }) => name);
};
const remove = (admin: Client, id: number) => admin.post(`${generators.endpoints.delete}/${id}`, undefined);

test('serves files received by another server byte for byte, and again after a disk was lost', async () => {
  const { one, names, uploads } = await withGenerator();
  const other = await another(one);
  const range = 'bytes=300000-300099';
  const part = await other.app.inject({ url: `/uploads/${names.catalog}`, headers: { range } });
  expect([part.statusCode, part.rawPayload.equals(PDF.subarray(300_000, 300_100))]).toEqual([206, true]);
  expect((await get(other, names.catalog)).rawPayload.equals(PDF)).toBe(true);
  const photo = (await get(one, names.photo)).rawPayload;
  await rm(join(uploads, names.photo));
  expect((await get(one, names.photo)).rawPayload.equals(photo)).toBe(true);
});

test('keeps an answered change with its files, even if the database crashes at once', async () => {
  const cluster = await startCluster();
  onTestFinished(() => cluster.stop());
  // nothing is flushed except what someone waits for
  await cluster.run('CREATE DATABASE desk', `ALTER SYSTEM SET wal_writer_delay = '10s'`, 'SELECT pg_reload_conf()');
  const openEngine = () => openPostgresEngine(cluster.address('desk'));
  const one = await signedIn({}, { openEngine });
  const form = formOf(valuesFor(generators.fields), await filesFor(generators));
  const made = await one.admin.post(generators.endpoints.create, form);
  await cluster.crash();
  expect(made.statusCode).toBe(200);
  await cluster.begin();
  const other = await startServer({ DATA_DIR: await freshFolder() }, { openEngine });
  const { rows } = await sql<{ catalog: string }>`SELECT catalog FROM generators`.execute(other.app.services.db);
  expect((await get(other, rows[0]?.catalog ?? '')).statusCode).toBe(200);
});

test('keeps a file with its change although it could not be prepared in advance', async () => {
  const one = await signedIn();
  Object.assign(one.app.services.storage.files, { prepare: () => Promise.reject(new Error('away')) });
  const form = formOf(valuesFor(generators.fields), await filesFor(generators));
  const { id } = (await one.admin.post(generators.endpoints.create, form)).json();
  const { catalog } = (await one.admin.get(`${generators.endpoints.single}/${id}`)).json();
  const other = await another(one);
  expect((await get(other, catalog)).statusCode).toBe(200);
});

test('lists kept files by folder, fetches them again after a loss, and keeps each one once', async () => {
  const { app, dataDir } = await signedIn();
  const { files } = app.services.storage;
  const uploads = join(dataDir, 'uploads');
  const names = ['.sizes/100/a.webp', '.sizes/1000/b.webp', 'c.png'];
  for (const name of names) {
    await mkdir(dirname(join(uploads, name)), { recursive: true });
    await writeFile(join(uploads, name), name);
  }
  await Promise.all([files.keep(names), files.keep(names), files.keep(names.slice(1))]);
  await files.keep(names);
  expect([await files.list('.sizes/100'), await files.list('.sizes/1000')]).toEqual([['a.webp'], ['b.webp']]);
  for (let time = 0; time < 2; time += 1) {
    await rm(join(uploads, 'c.png'));
    // what is kept already is not requested again
    await files.keep(['c.png']);
    expect([await files.has('c.png'), await files.has('d.png')]).toEqual([true, false]);
    await Promise.all([files.fetch('c.png'), files.fetch('c.png')]);
    expect(await readFile(join(uploads, 'c.png'), 'utf8')).toBe('c.png');
  }
  await files.fetch('d.png');
  expect(existsSync(join(uploads, 'd.png'))).toBe(false);
});

test('serves smaller pictures that the other server made', async () => {
  const { one, names } = await withGenerator();
  const kept = await keptIn(one);
  expect(kept.filter((name) => name.startsWith('.sizes/') && name.includes(names.photo))).toHaveLength(6);
  const other = await another(one);
  const [made, given] = [await get(one, `${names.photo}?width=100`), await get(other, `${names.photo}?width=100`)];
  expect(given.statusCode).toBe(200);
  expect(given.rawPayload.equals(made.rawPayload)).toBe(true);
  expect(await keptIn(one)).toEqual(kept);
});

test('names a fetched file only after all its bytes are flushed to disk', async () => {
  const { one, names } = await withGenerator();
  const { disk, steps } = notedDisk();
  const folder = await freshFolder();
  await mkdir(join(folder, '.incoming'));
  await filesInDatabase(one.app.services.db, { folder, disk, randomBytes }).fetch(names.catalog);
  expect(steps).toEqual(['flushed', 'named']);
});

test('does not serve a file damaged in the database, and leaves nothing of it on the disk', async () => {
  const { one, names } = await withGenerator();
  const other = await another(one);
  await sql`UPDATE stored_pieces SET bytes = 'x' WHERE name = ${names.catalog} AND place = 1`.execute(
    one.app.services.db,
  );
  expect((await get(other, names.catalog)).statusCode).toBe(500);
  expect((await get(other, names.catalog)).statusCode).toBe(500);
  expect(await readdir(join(other.dataDir, 'uploads', '.incoming'))).toEqual([]);
});

test('removes files and smaller pictures together with their record', async () => {
  const { one, id } = await withGenerator();
  expect((await remove(one.admin, id)).statusCode).toBe(200);
  expect(await keptIn(one)).toEqual([]);
  const { rows } = await sql`SELECT 1 FROM stored_pieces`.execute(one.app.services.db);
  expect(rows).toEqual([]);
});

test('leaves no smaller pictures of a photo that another server has removed meanwhile', async () => {
  const { one, names, id } = await withGenerator();
  const other = await another(one);
  await get(other, names.photo);
  await remove(one.admin, id);
  other.app.services.sizes.add([names.photo]);
  await other.app.services.sizes.done();
  expect(await keptIn(one)).toEqual([]);
  const folder = join(other.dataDir, 'uploads', '.sizes');
  for (const width of existsSync(folder) ? await readdir(folder) : [])
    expect(await readdir(join(folder, width))).toEqual([]);
});

test('notes unreferenced files at start after a day, removes them after 30 days, and keeps those of records with their smaller pictures', async () => {
  const { one } = await withGenerator();
  const kept = await keptIn(one);
  expect(kept.filter((name) => name.startsWith('.sizes/'))).not.toEqual([]);
  await sql`UPDATE stored_files SET kept_at = now() - interval '2 days'`.execute(one.app.services.db);
  await sql`INSERT INTO stored_files (name, size, sha256, kept_at) VALUES
    ('dead.jpg', 0, '', now() - interval '25 hours'), ('fresh.jpg', 0, '', now() - interval '23 hours')`.execute(
    one.app.services.db,
  );
  await another(one);
  expect(await keptIn(one)).toEqual([...kept, 'dead.jpg', 'fresh.jpg'].toSorted());
  await sql`UPDATE unnamed_files SET since = '2026-01-01T00:00:00.000Z'`.execute(one.app.services.db);
  await another(one);
  expect(await keptIn(one)).toEqual([...kept, 'fresh.jpg'].toSorted());
});
