import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { backUp } from '../../server/commands/backup.ts';
import { restore } from '../../server/commands/restore.ts';
import { projects } from '../../src/domain/resources/projects.ts';
import { type Client, formOf, freshFolder, signedIn, withKey } from './harness.ts';
import { filesFor, valuesFor } from './samples.ts';

interface Stored {
  readonly id: number;
  readonly version: string;
  readonly images: readonly { readonly id: number }[];
}

async function create(admin: Client, mark: string): Promise<Stored> {
  const form = formOf(valuesFor(projects.fields, mark), await filesFor(projects));
  const { id } = (await admin.post(projects.endpoints.create, form)).json();
  return (await admin.get(`${projects.endpoints.single}/${id}`)).json();
}

const nameOf = async (admin: Client, { id }: Stored) =>
  (await admin.get(`${projects.endpoints.single}/${id}`)).json().client_name;

/** A server backed up with one project, which then got a second and a third that was deleted. */
async function backedUp() {
  const server = await signedIn();
  const file = join(await freshFolder(), 'backup.voltdesk');
  await create(server.admin, 'old');
  await backUp(server.dataDir, file);
  const lost = await create(server.admin, 'lost');
  const { id } = await create(server.admin, 'gone');
  await server.admin.post(`${projects.endpoints.delete}/${id}`, undefined);
  await server.app.close();
  return { ...server, file, lost, highest: id };
}

const PLACES = [
  ['in the same folder', async (dataDir: string) => dataDir],
  ['on a new machine', async () => freshFolder()],
  [
    'in the folder of another installation',
    async () => {
      // not the prepared data, which is the same installation everywhere
      const other = await signedIn({ DATA_DIR: await freshFolder() });
      await other.app.close();
      return other.dataDir;
    },
  ],
  [
    'over a database that is damaged',
    async () => {
      const folder = await freshFolder();
      await writeFile(join(folder, 'voltdesk.sqlite'), Buffer.alloc(8192, 'no database'));
      return folder;
    },
  ],
] as const;

test.each(PLACES)('protects new records from a delete that was queued before a restore %s', async (_where, place) => {
  const { dataDir, file, lost, highest } = await backedUp();
  const folder = await place(dataDir);
  await restore({ dataDir: folder, file, now: 0 });
  const { admin } = await signedIn({ DATA_DIR: folder });
  const strangers = [await create(admin, 'stranger'), await create(admin, 'other')];
  for (const { id } of strangers) expect(id).toBeGreaterThan(highest);
  const imageIds = strangers.flatMap(({ images }) => images.map((image) => image.id));
  for (const { id } of lost.images) expect(imageIds).not.toContain(id);
  const waiting = [
    `${projects.endpoints.delete}/${lost.id}`,
    ...lost.images.map((image) => `/api/delete-image/${image.id}`),
  ];
  for (const url of waiting) expect((await admin.post(url, undefined, withKey())).statusCode).toBe(404);
  expect(await Promise.all(strangers.map((one) => nameOf(admin, one)))).toEqual([
    'Client name stranger',
    'Client name other',
  ]);
});

test('continues with the next id when a backup is restored over its own installation', async () => {
  const { dataDir, file, highest } = await backedUp();
  await restore({ dataDir, file, now: 0 });
  const { admin } = await signedIn({ DATA_DIR: dataDir });
  expect((await create(admin, 'next')).id).toBe(highest + 1);
});

test('creates every table so that ids are never reused', async () => {
  const { app } = await signedIn();
  const { rows } = await sql<{ name: string; sql: string }>`
    SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%id INTEGER PRIMARY KEY%'`.execute(
    app.services.db,
  );
  expect(rows.length).toBeGreaterThanOrEqual(14);
  for (const table of rows) expect(table.sql, table.name).toContain('AUTOINCREMENT');
});

test('does not reopen a session that was alive when the backup was made, and stores none in it', async () => {
  const { admin, dataDir } = await signedIn();
  const token = admin.bearer();
  const file = join(await freshFolder(), 'backup.voltdesk');
  await backUp(dataDir, file);
  await admin.post('/api/logout', undefined);
  const elsewhere = await freshFolder();
  await restore({ dataDir: elsewhere, file, now: 0 });
  const { app } = await signedIn({ DATA_DIR: elsewhere });
  const answer = await app.inject({ url: '/api/user', headers: { authorization: `Bearer ${token}` } });
  expect(answer.statusCode).toBe(401);
});

test('keeps backups, database and uploads unreadable for other users of the machine', async () => {
  const { admin, dataDir } = await signedIn();
  const { files } = (await create(admin, 'one')) as unknown as { files: { name: string }[] };
  const backup = join(await freshFolder(), 'backup.voltdesk');
  await backUp(dataDir, backup);
  const elsewhere = await freshFolder();
  await restore({ dataDir: elsewhere, file: backup, now: 0 });
  const upload = join('uploads', files[0]?.name ?? '');
  const paths = [dataDir, elsewhere].flatMap((folder) => [join(folder, 'voltdesk.sqlite'), join(folder, upload)]);
  for (const path of [backup, join(dataDir, 'voltdesk.sqlite-wal'), ...paths]) {
    expect([path, ((await stat(path)).mode & 0o077).toString(8)]).toEqual([path, '0']);
  }
});
