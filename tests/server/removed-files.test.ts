import { execFileSync } from 'node:child_process';
import { open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { backUp } from '../../server/commands/backup.ts';
import { openDatabase } from '../../server/stores/sqlite/open.ts';
import { MARKER } from '../../server/uploads/marker.ts';
import { PICTURE_WIDTHS } from '../../server/uploads/picture-sizes.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { projects } from '../../src/domain/resources/projects.ts';
import { type Client, formOf, freshFolder, signedIn } from './harness.ts';
import { filesFor, picture, valuesFor } from './samples.ts';

/** Without a trash, deleted files are dropped as replaced ones are. */
const AT_ONCE = { TRASH_DAYS: '0' };

type Server = Awaited<ReturnType<typeof signedIn>>;

async function create({ admin }: Pick<Server, 'admin'>) {
  const form = formOf(valuesFor(projects.fields), await filesFor(projects));
  const { id } = (await admin.post(projects.endpoints.create, form)).json();
  const single = `${projects.endpoints.single}/${id}`;
  const files = (await admin.get(single)).json().files.map((file: { name: string }) => file.name) as string[];
  const { images } = (await admin.get(single)).json();
  return { single, files, images, remove: () => admin.post(`${projects.endpoints.delete}/${id}`, undefined) };
}

/** Every file below the uploads folder, smaller pictures included. */
async function onDisk(dataDir: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'uploads'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory() && entry.name !== MARKER).map((entry) => entry.name);
}

/** The answers to a stranger who kept the addresses of a file: the original, and every width. */
async function answersTo(admin: Client, file: string): Promise<number[]> {
  const queries = ['', ...PICTURE_WIDTHS.map((width) => `?width=${width}`)];
  const asked = queries.flatMap((query) =>
    ['image/avif', 'image/webp'].map((accept) => admin.get(`/uploads/${file}${query}`, { accept })),
  );
  return [...new Set((await Promise.all(asked)).map((answer) => answer.statusCode))];
}

test('serves and keeps no picture of a deleted record in any size', async () => {
  const server = await signedIn(AT_ONCE);
  const { files, remove } = await create(server);
  await server.app.services.sizes.done();
  expect(await onDisk(server.dataDir)).toHaveLength(3 * 7);
  for (const file of files) expect(await answersTo(server.admin, file)).toEqual([200]);
  await remove();
  for (const file of files) expect(await answersTo(server.admin, file)).toEqual([404]);
  expect(await onDisk(server.dataDir)).toEqual([]);
});

test('serves and keeps no picture that was replaced or removed in any size', async () => {
  const server = await signedIn(AT_ONCE);
  const { admin, dataDir, app } = server;
  const { files, images, single } = await create(server);
  await app.services.sizes.done();
  const logo = { field: 'image', bytes: await picture('webp'), name: 'new.webp', type: 'image/webp' };
  await admin.post(single, formOf(valuesFor(projects.fields), [logo]));
  await admin.post(`/api/delete-image/${images[0].id}`, undefined);
  await app.services.sizes.done();
  const [old = '', removed = '', kept = ''] = files;
  expect([await answersTo(admin, old), await answersTo(admin, removed)]).toEqual([[404], [404]]);
  expect(await answersTo(admin, kept)).toEqual([200]);
  expect((await onDisk(dataDir)).filter((name) => name.startsWith(old) || name.startsWith(removed))).toEqual([]);
});

test('removes with a later change what could not be removed with its own', async () => {
  const server = await signedIn(AT_ONCE);
  const { app, dataDir } = server;
  const { files, remove } = await create(server);
  await app.services.sizes.done();
  const { disk, files: store } = app.services.storage;
  const broken = new Error('The storage of files cannot be used.');
  const faults = [
    vi.spyOn(store, 'remove').mockRejectedValue(broken),
    vi.spyOn(disk, 'remove').mockRejectedValue(broken),
  ];
  expect((await remove()).statusCode).toBe(200);
  expect(await onDisk(dataDir)).toEqual(expect.arrayContaining(files));
  for (const fault of faults) fault.mockRestore();
  await (await create(server)).remove();
  await app.services.sizes.done();
  expect(await onDisk(dataDir)).toEqual([]);
});

test('takes no picture from a record of another kind with the same id', async () => {
  const { admin } = await signedIn();
  const { single, images } = await create({ admin });
  const other = formOf(valuesFor(generators.fields), await filesFor(generators));
  const { id } = (await admin.post(generators.endpoints.create, other)).json();
  expect(single.endsWith(`/${id}`)).toBe(true);
  await admin.post(`${generators.endpoints.delete}/${id}`, undefined);
  expect((await admin.get(single)).json().images).toEqual(images);
});

/** A closed server that was killed between dropping a file and removing it. */
async function killedAfterDropping() {
  const first = await signedIn();
  const [dropped = '', kept = ''] = (await create(first)).files;
  await first.app.services.sizes.done();
  await first.app.close();
  const db = await openDatabase(first.dataDir);
  await db
    .updateTable('projects' as 'records')
    .set({ image: null } as never)
    .execute();
  await db.deleteFrom('files').where('name', '=', dropped).execute();
  await db.insertInto('removed_files').values({ name: dropped }).execute();
  await writeFile(join(first.dataDir, 'uploads', '.incoming', 'half'), 'half');
  return { dataDir: first.dataDir, db, dropped, kept };
}

test('removes at the next start what a killed server had dropped but not yet removed', async () => {
  const { dataDir, db, dropped, kept } = await killedAfterDropping();
  await db.destroy();
  await signedIn({ DATA_DIR: dataDir });
  const names = await onDisk(dataDir);
  expect(names.filter((name) => name.startsWith(dropped) || name === 'half')).toEqual([]);
  expect(names.filter((name) => name.startsWith(kept))).toHaveLength(7);
});

test.each([
  ['current', 60_000, true],
  ['expired', -60_000, false],
])('keeps dropped files at start only under a current hold of a backup: %s', async (_what, milliseconds, stays) => {
  const { dataDir, db, dropped } = await killedAfterDropping();
  const until = new Date(Date.now() + milliseconds).toISOString();
  await db.insertInto('file_holds').values({ id: 'backup', until }).execute();
  await db.destroy();
  await signedIn({ DATA_DIR: dataDir });
  expect((await onDisk(dataDir)).includes(dropped)).toBe(stays);
});

/** Replaces a file with a pipe. Resolves once someone reads it, with a function that supplies the bytes. */
async function withhold(path: string) {
  const bytes = await readFile(path);
  await rm(path);
  execFileSync('mkfifo', [path]);
  const pipe = await open(path, 'w');
  return async () => (await pipe.writeFile(bytes), pipe.close());
}

test('backs up the files of a record deleted meanwhile, and removes them afterwards', async () => {
  const server = await signedIn(AT_ONCE);
  const { admin, app, dataDir } = server;
  const [one, other] = [await create(server), await create(server)];
  await app.services.sizes.done();
  // The backup reads them by name: it waits at the first, while the record that does not have it is deleted.
  const [first = ''] = [...one.files, ...other.files].toSorted();
  const doomed = one.files.includes(first) ? other : one;
  const reading = withhold(join(dataDir, 'uploads', first));
  const running = backUp(dataDir, join(await freshFolder(), 'backup.voltdesk'));
  const giveBack = await reading;
  expect((await doomed.remove()).statusCode).toBe(200);
  await giveBack();
  expect(await running).toMatchObject({ files: 6, damaged: [] });
  expect(await app.services.db.selectFrom('file_holds').select('id').execute()).toEqual([]);
  expect(await answersTo(admin, doomed.files[0] ?? '')).toEqual([404]);
  await create(server);
  await app.services.sizes.done();
  const names = await onDisk(dataDir);
  for (const file of doomed.files) expect(names).not.toContain(file);
});
