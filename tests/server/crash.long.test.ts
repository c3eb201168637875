import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Database } from '../../server/stores/sql/tables.ts';
import { trashedAddress } from '../../src/domain/protocol/trash.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { type Client, formOf, freshFolder, startServer, withKey } from './harness.ts';
import { filesFor, pdf, picture, sha256, valuesFor } from './samples.ts';
import { witness } from './witness.ts';

/** Smaller pictures can be made again; thumbnails.test.ts covers crashes while they are made. */
const isOriginal = (path: string) => !path.includes('.sizes');

const KEY = withKey('11111111-2222-4333-8444-555555555555');

const full = async () => formOf(valuesFor(generators.fields), await filesFor(generators));

async function change(): Promise<FormData> {
  const catalog = { field: 'catalog', bytes: pdf('new'), name: 'new.pdf', type: 'application/pdf' };
  const photo = { field: 'images[]', bytes: await picture('webp'), name: 'new.webp', type: 'image/webp' };
  return formOf(valuesFor(generators.fields, 'new'), [catalog, photo]);
}

interface Deed {
  readonly prepare: (admin: Client) => Promise<void>;
  readonly act: (admin: Client) => ReturnType<Client['post']>;
}

const DEEDS: Readonly<Record<string, Deed>> = {
  create: {
    prepare: async () => undefined,
    act: async (admin) => admin.post(generators.endpoints.create, await full(), KEY),
  },
  update: {
    prepare: async (admin) => void (await admin.post(generators.endpoints.create, await full())),
    act: async (admin) => admin.post(`${generators.endpoints.single}/1`, await change(), KEY),
  },
  delete: {
    prepare: async (admin) => void (await admin.post(generators.endpoints.create, await full())),
    act: async (admin) => admin.post(`${generators.endpoints.delete}/1`, undefined, KEY),
  },
  restore: {
    prepare: async (admin) => {
      await admin.post(generators.endpoints.create, await full());
      await admin.post(`${generators.endpoints.delete}/1`, undefined);
    },
    act: async (admin) => admin.post(trashedAddress({ resource: 'generators', id: 1 }, 'restore'), undefined, KEY),
  },
};

/** The record without the parts that differ from run to run, or undefined. */
async function contentOf(admin: Client): Promise<object | undefined> {
  const answer = await admin.get(`${generators.endpoints.single}/1`);
  if (answer.statusCode === 404) return undefined;
  const { brand, files } = answer.json();
  return { brand, files: files.map((file: { field: string; sha256: string }) => [file.field, file.sha256]) };
}

/** Expects every row's file on disk as it was stored, and no other file but those noted as named by no record. */
async function assertNoLooseEnds(dataDir: string, db: Database): Promise<void> {
  const uploads = join(dataDir, 'uploads');
  const files = await db.selectFrom('files').select(['name', 'sha256']).execute();
  const unnamed = await db.selectFrom('unnamed_files').select('name').execute();
  const names = (await readdir(uploads)).filter((name) => !name.startsWith('.'));
  expect(names.toSorted()).toEqual([...files, ...unnamed].map((file) => file.name).toSorted());
  expect(await readdir(join(uploads, '.incoming'))).toEqual([]);
  for (const file of files) expect(sha256(await readFile(join(uploads, file.name)))).toBe(file.sha256);
}

test.each(Object.entries(DEEDS))(
  'survives a crash at any step of a %s without losing, truncating or duplicating it',
  async (_name, { prepare, act }) => {
    const dataDir = await freshFolder();
    const watch = witness(dataDir, await freshFolder(), isOriginal);
    const server = await startServer({ DATA_DIR: dataDir }, { disk: watch.disk, openSqlite: watch.openSqlite });
    const admin = await server.client();
    await admin.signIn();
    await prepare(admin);
    const before = await contentOf(admin);
    watch.arm(true);
    const answer = await act(admin);
    watch.step('after the answer');
    watch.arm(false);
    const acknowledged = watch.taken.slice(-2);
    expect(answer.statusCode).toBe(200);
    const after = await contentOf(admin);
    expect(watch.taken.length).toBeGreaterThan(20);

    for (const copy of watch.taken) {
      const revived = await startServer({ DATA_DIR: copy.folder });
      const reader = await revived.client();
      reader.useBearer(admin.bearer());
      await reader.get('/api/user');
      const { db } = revived.app.services;
      await assertNoLooseEnds(copy.folder, db);
      const found = await contentOf(reader);
      if (acknowledged.includes(copy)) expect([copy.name, found]).toEqual([copy.name, after]);
      else expect([before, after]).toContainEqual(found);
      const again = await act(reader);
      expect([copy.name, again.statusCode, again.json().message]).toEqual([copy.name, 200, answer.json().message]);
      expect([copy.name, await contentOf(reader)]).toEqual([copy.name, after]);
      expect((await reader.get(generators.endpoints.list)).json().length).toBe(after === undefined ? 0 : 1);
      await assertNoLooseEnds(copy.folder, db);
      await revived.app.close();
    }
  },
  300_000,
);

test('lets the witness notice a file that is named before it is flushed', async () => {
  const dataDir = await freshFolder();
  const watch = witness(dataDir, await freshFolder(), isOriginal);
  const path = join(dataDir, 'a');
  watch.arm(true);
  const file = await watch.disk.create(path);
  await file.write(new Uint8Array([1, 2]));
  watch.step('not flushed');
  const [killed, cut] = watch.taken.slice(-2).map((copy) => readFileSync(join(copy.folder, 'a')).length);
  await file.close();
  expect([killed, cut]).toEqual([2, 0]);
});
