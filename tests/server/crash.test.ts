import { cpSync, existsSync, readFileSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqlite } from '../../server/database/sqlite.ts';
import { type Disk, realDisk } from '../../server/storage/disk.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { type Client, formOf, freshFolder, startServer, withKey } from './harness.ts';
import { filesFor, pdf, picture, sha256, valuesFor } from './samples.ts';

/**
 * Takes a copy of the data folder at every step on the disk and every statement, as a death at that moment would leave it:
 * once as after a kill (what was written is there) and once as after a power cut (what was not flushed is not).
 */
function witness(dataDir: string, copies: string) {
  const unflushed = new Set<string>();
  const renamed = new Map<string, string>();
  const taken: { readonly name: string; readonly folder: string }[] = [];
  let armed = false;
  const copyTo = (name: string, spoil: (path: (original: string) => string) => void) => {
    const folder = join(copies, String(taken.length));
    cpSync(dataDir, folder, { recursive: true });
    rmSync(join(folder, 'voltdesk.sqlite-shm'), { force: true });
    spoil((original) => original.replace(dataDir, folder));
    taken.push({ name, folder });
  };
  const step = (name: string) => {
    if (!armed) return;
    copyTo(`killed: ${name}`, () => undefined);
    copyTo(`power cut: ${name}`, (there) => {
      // Other steps are on their way meanwhile: what they have not done yet, or have undone already, is not there.
      for (const path of unflushed) if (existsSync(there(path))) truncateSync(there(path), 0);
      for (const [to, from] of renamed) if (existsSync(there(to))) renameSync(there(to), there(from));
    });
  };
  const disk: Disk = {
    async create(path) {
      step(`before create ${basename(path)}`);
      const file = await realDisk.create(path);
      unflushed.add(path);
      return {
        write: async (bytes) => {
          await file.write(bytes.subarray(0, bytes.length / 2));
          step('half way through a write');
          await file.write(bytes.subarray(bytes.length / 2));
        },
        flush: async () => {
          step('before flush');
          await file.flush();
          unflushed.delete(path);
        },
        close: file.close,
      };
    },
    flush: async (path) => {
      step('before flush');
      await realDisk.flush(path);
      unflushed.delete(path);
    },
    rename: async (from, to) => {
      step('before rename');
      renamed.set(to, from);
      if (unflushed.delete(from)) unflushed.add(to);
      await realDisk.rename(from, to);
    },
    flushFolder: async (path) => {
      step('before the folder is flushed');
      await realDisk.flushFolder(path);
      renamed.clear();
    },
    remove: async (path) => {
      step('before remove');
      await realDisk.remove(path);
      unflushed.delete(path);
      renamed.delete(path);
    },
  };
  const openWatched: typeof openSqlite = (path) => {
    const database = openSqlite(path);
    const prepare = database.prepare.bind(database);
    database.prepare = (sql) => {
      const statement = prepare(sql);
      for (const verb of ['run', 'all'] as const) {
        const carryOut = statement[verb].bind(statement) as (...given: never[]) => never;
        Object.assign(statement, {
          [verb]: (...given: never[]) => (step(`before ${sql.slice(0, 40)}`), carryOut(...given)),
        });
      }
      return statement;
    };
    return database;
  };
  return { disk, openSqlite: openWatched, taken, arm: (on: boolean) => (armed = on), step };
}

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
};

/** The record without what differs from run to run, or undefined. */
async function contentOf(admin: Client): Promise<object | undefined> {
  const answer = await admin.get(`${generators.endpoints.single}/1`);
  if (answer.statusCode === 404) return undefined;
  const { brand, files } = answer.json();
  return { brand, files: files.map((file: { field: string; sha256: string }) => [file.field, file.sha256]) };
}

/** Every row's file is on the disk as it was stored, and nothing else is there. */
async function assertNoLooseEnds(dataDir: string, files: readonly { name: string; sha256: string }[]): Promise<void> {
  const uploads = join(dataDir, 'uploads');
  const names = (await readdir(uploads)).filter((name) => !name.startsWith('.'));
  expect(names.toSorted()).toEqual(files.map((file) => file.name).toSorted());
  expect(await readdir(join(uploads, '.incoming'))).toEqual([]);
  for (const file of files) expect(sha256(await readFile(join(uploads, file.name)))).toBe(file.sha256);
}

test.each(Object.entries(DEEDS))(
  'dies at any step of a %s without losing, halving or doubling it',
  async (_name, { prepare, act }) => {
    const dataDir = await freshFolder();
    const watch = witness(dataDir, await freshFolder());
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
      await assertNoLooseEnds(copy.folder, await db.selectFrom('files').select(['name', 'sha256']).execute());
      const found = await contentOf(reader);
      if (acknowledged.includes(copy)) expect([copy.name, found]).toEqual([copy.name, after]);
      else expect([before, after]).toContainEqual(found);
      const again = await act(reader);
      expect([copy.name, again.statusCode, again.json().message]).toEqual([copy.name, 200, answer.json().message]);
      expect([copy.name, await contentOf(reader)]).toEqual([copy.name, after]);
      expect((await reader.get(generators.endpoints.list)).json().length).toBe(after === undefined ? 0 : 1);
      await assertNoLooseEnds(copy.folder, await db.selectFrom('files').select(['name', 'sha256']).execute());
      await revived.app.close();
    }
  },
  300_000,
);

test('the witness sees a file that is named before it is flushed', async () => {
  const dataDir = await freshFolder();
  const watch = witness(dataDir, await freshFolder());
  const path = join(dataDir, 'a');
  watch.arm(true);
  const file = await watch.disk.create(path);
  await file.write(new Uint8Array([1, 2]));
  watch.step('not flushed');
  const [killed, cut] = watch.taken.slice(-2).map((copy) => readFileSync(join(copy.folder, 'a')).length);
  await file.close();
  expect([killed, cut]).toEqual([2, 0]);
});
