import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqlite } from '../../server/stores/sqlite/sqlite.ts';
import { type Disk, realDisk } from '../../server/uploads/disk.ts';
import { MARKER } from '../../server/uploads/marker.ts';
import { projects } from '../../src/domain/resources/projects.ts';
import { SESSIONS_PATH } from '../../src/domain/protocol/sessions.ts';
import { trashedAddress } from '../../src/domain/protocol/trash.ts';
import { ups } from '../../src/domain/resources/ups.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { formOf, freshFolder, signedIn } from './harness.ts';
import { filesFor, valuesFor } from './samples.ts';
import { addPasskey, begin, codeAt, MINUTE, NOON, second, SITE } from './second-factor-client.ts';

/**
 * A disk that can be filled: then it accepts nothing new while the server's reserve exists, and
 * SQLite rolls back the transaction that hit the full disk.
 */
function fillable(dataDir: string) {
  const state = { full: false, others: false };
  const isFull = () => state.full && (state.others || existsSync(join(dataDir, 'reserve')));
  const create: Disk['create'] = async (path) => {
    if (state.full) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    return realDisk.create(path);
  };
  const open: typeof openSqlite = (path) => {
    const database = openSqlite(path);
    const prepare = database.prepare.bind(database);
    database.prepare = (sql) => {
      const statement = prepare(sql);
      if (!/^(insert|update|delete)/i.test(sql)) return statement;
      for (const verb of ['run', 'all'] as const) {
        const carryOut = statement[verb].bind(statement) as (...given: never[]) => never;
        const refuse = () => {
          if (database.isTransaction) database.exec('ROLLBACK');
          throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
        };
        Object.assign(statement, { [verb]: (...given: never[]) => (isFull() ? refuse() : carryOut(...given)) });
      }
      return statement;
    };
    return database;
  };
  return { state, overrides: { disk: { ...realDisk, create }, openSqlite: open } };
}

/** A server with two projects whose disk can be filled and whose clock the test moves. */
async function withProjects() {
  const dataDir = await freshFolder();
  const { state, overrides } = fillable(dataDir);
  let at = NOON;
  const server = await signedIn({ DATA_DIR: dataDir }, { ...overrides, now: () => at });
  const { admin } = server;
  const create = async () =>
    admin.post(projects.endpoints.create, formOf(valuesFor(projects.fields), await filesFor(projects)));
  const ids = [(await create()).json().id, (await create()).json().id] as const;
  await server.app.services.sizes.done();
  const read = async (id: number) => admin.get(`${projects.endpoints.single}/${id}`);
  const pass = (milliseconds: number) => (at += milliseconds);
  return { ...server, state, ids, create, read, now: () => at, pass };
}

test('reads from a full disk, even after a minute and a day, and keeps the session alive', async () => {
  const { admin, state, ids, read, pass } = await withProjects();
  state.full = true;
  state.others = true;
  for (const milliseconds of [MINUTE + 1, 24 * 60 * MINUTE]) {
    pass(milliseconds);
    expect((await admin.get('/api/user')).statusCode).toBe(200);
    expect((await admin.get(projects.endpoints.list)).json()).toHaveLength(2);
    expect((await read(ids[0])).statusCode).toBe(200);
  }
});

test('deletes records, also for good, and images on a full disk, and accepts new ones once there is space', async () => {
  const { admin, state, ids, create, read, dataDir } = await withProjects();
  state.full = true;
  const { images } = (await read(ids[1])).json();
  expect((await admin.post(`/api/delete-image/${images[0].id}`, undefined)).statusCode).toBe(200);
  expect((await admin.post(`${projects.endpoints.delete}/${ids[0]}`, undefined)).statusCode).toBe(200);
  expect((await admin.get(projects.endpoints.list)).json()).toHaveLength(1);
  const forGood = trashedAddress({ resource: 'projects', id: ids[0] }, 'delete');
  expect((await admin.post(forGood, undefined)).statusCode).toBe(200);
  const originals = (await readdir(join(dataDir, 'uploads'))).filter((name) => !name.startsWith('.'));
  // those of the other record, whose removed photo is kept for its history
  expect(originals).toHaveLength(3);
  expect((await create()).statusCode).toBe(503);
  state.full = false;
  expect((await create()).statusCode).toBe(200);
  expect((await stat(join(dataDir, 'reserve'))).size).toBe(4 * 1024 * 1024);
});

test('reports a full disk for a save of texts only, though SQLite has already rolled it back', async () => {
  const { admin, state, ids, read } = await withProjects();
  state.full = true;
  const before = (await read(ids[0])).json();
  for (const [url, fields] of [
    [`${projects.endpoints.single}/${ids[0]}`, projects.fields],
    [siteMeta.endpoints.single, siteMeta.fields],
  ] as const) {
    const answer = await admin.post(url, formOf(valuesFor(fields, 'two')));
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({ message: "The server's disk is full. Nothing was changed.", code: 'storage' });
    expect(answer.headers['retry-after']).toBe('60');
  }
  expect((await read(ids[0])).json()).toEqual(before);
});

test('leaves the reserve spent on a delete to other deletes, and lets no save use it', async () => {
  const { admin, state, ids, read } = await withProjects();
  state.full = true;
  await admin.post(`${projects.endpoints.delete}/${ids[0]}`, undefined);
  const form = () => formOf(valuesFor(projects.fields, 'two'));
  expect((await admin.post(`${projects.endpoints.single}/${ids[1]}`, form())).statusCode).toBe(503);
  expect((await read(ids[1])).json().client_name).toBe('Client name one');
  expect((await admin.post(`${projects.endpoints.delete}/${ids[1]}`, undefined)).statusCode).toBe(200);
});

test('keeps no file that was only partly written to the disk', async () => {
  const disk = { fills: false };
  const create: Disk['create'] = async (path) => {
    const file = await realDisk.create(path);
    const write = async (bytes: Uint8Array) => {
      if (disk.fills) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      await file.write(bytes);
    };
    return { ...file, write };
  };
  const { admin, dataDir } = await signedIn({}, { disk: { ...realDisk, create } });
  disk.fills = true;
  const form = formOf(valuesFor(ups.fields), await filesFor(ups));
  expect((await admin.post(ups.endpoints.create, form)).statusCode).toBe(503);
  expect((await admin.get(ups.endpoints.list)).json()).toEqual([]);
  const kept = await readdir(join(dataDir, 'uploads'), { recursive: true, withFileTypes: true });
  expect(kept.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual([MARKER]);
  disk.fills = false;
  expect((await admin.post(ups.endpoints.create, form)).statusCode).toBe(200);
});

test('blames a failing disk before a picture that may be intact', async () => {
  const disk = { fails: true };
  const rename: Disk['rename'] = async (from, to) => {
    if (disk.fails && to.endsWith('.pdf')) throw Object.assign(new Error('read-only file system'), { code: 'EROFS' });
    await realDisk.rename(from, to);
  };
  const { admin } = await signedIn({}, { disk: { ...realDisk, rename } });
  const files = (await filesFor(ups)).map((file) =>
    file.field === 'catalog' ? file : { ...file, bytes: file.bytes.subarray(0, 60) },
  );
  const form = formOf(valuesFor(ups.fields), files);
  expect((await admin.post(ups.endpoints.create, form)).statusCode).toBe(503);
  disk.fails = false;
  const refused = await admin.post(ups.endpoints.create, form);
  expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['images.0']]);
});

test('signs in and logs out on a full disk, so that someone can make space', async () => {
  const { client, state } = await withProjects();
  state.full = true;
  const other = await client();
  expect((await other.signIn()).statusCode).toBe(200);
  expect((await other.post('/api/logout', undefined)).statusCode).toBe(200);
  expect((await other.get('/api/user')).statusCode).toBe(401);
});

test('starts on a full disk', async () => {
  const { app, dataDir, admin, now } = await withProjects();
  await app.close();
  const { state, overrides } = fillable(dataDir);
  state.full = true;
  const again = await signedIn({ DATA_DIR: dataDir }, { ...overrides, now });
  again.admin.useBearer(admin.bearer());
  expect((await again.admin.get(projects.endpoints.list)).json()).toHaveLength(2);
});

test('ends one session or all others on a full disk', async () => {
  for (const path of ['others', 'one'] as const) {
    const { admin, client, state } = await withProjects();
    const other = await client();
    await other.signIn();
    const sessions = (await admin.get(SESSIONS_PATH)).json() as { id: string; isThis: boolean }[];
    const theirs = sessions.find(({ isThis }) => !isThis)?.id ?? '';
    state.full = true;
    const url = path === 'one' ? `${SESSIONS_PATH}/${theirs}/end` : `${SESSIONS_PATH}/end-others`;
    expect((await admin.post(url, undefined)).statusCode).toBe(200);
    expect((await other.get('/api/user')).statusCode).toBe(401);
  }
});

test('accepts each second factor on a full disk', async () => {
  const { admin, client, state, create, pass } = await withProjects();
  const { secret, ticket } = (await admin.post('/api/security/authenticator', {})).json();
  const code = codeAt(secret, NOON);
  const { recoveryCodes } = (await admin.post('/api/security/authenticator/take', { ticket, code })).json();
  const passkey = await addPasskey(admin);
  pass(MINUTE);
  const guest = await client();
  await guest.get('/api/user');
  const byPasskey = async () => {
    const asked = (await guest.post('/api/auth/passkey/options', { ticket: await begin(guest) })).json();
    const response = passkey.answers({ ...SITE, challenge: asked.options.challenge });
    return guest.post('/api/auth/passkey', { ticket: asked.ticket, response });
  };
  for (const signIn of [
    async () => second(guest, await begin(guest), codeAt(secret, NOON + MINUTE)),
    async () => second(guest, await begin(guest), recoveryCodes[0]),
    byPasskey,
  ]) {
    state.full = false;
    // reserves the space again
    expect((await create()).statusCode).toBe(200);
    state.full = true;
    expect((await signIn()).statusCode).toBe(200);
  }
});
