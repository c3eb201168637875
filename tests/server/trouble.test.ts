import { readdir, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../server/stores/sqlite/open.ts';
import { isTooOld, openSqlite } from '../../server/stores/sqlite/sqlite.ts';
import { type Disk, realDisk } from '../../server/uploads/disk.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { ADMIN, formOf, freshFolder, signedIn, startServer, withKey } from './harness.ts';
import { filesFor, valuesFor } from './samples.ts';

const fault = (code: string) => Object.assign(new Error(code), { code });

/** A disk on which one operation fails while `broken` is set. */
function failingDisk(verb: 'write' | 'create' | 'rename' | 'flush' | 'flushFolder', code: string) {
  const state = { broken: true };
  const fail = () => {
    if (state.broken) throw fault(code);
  };
  const disk: Disk = {
    ...realDisk,
    async create(path) {
      if (verb === 'create') fail();
      const file = await realDisk.create(path);
      return { ...file, write: async (bytes) => (verb === 'write' ? fail() : undefined, file.write(bytes)) };
    },
    ...(verb === 'write' || verb === 'create'
      ? {}
      : {
          [verb]: async (...given: [string, string]) => {
            fail();
            await (realDisk[verb] as (...paths: string[]) => Promise<void>)(...given);
          },
        }),
  };
  return { disk, state };
}

test.each([
  ['create', 'EROFS', 'allowed to write'],
  ['write', 'ENOSPC', 'disk is full'],
  ['flush', 'ENOSPC', 'disk is full'],
  ['rename', 'EACCES', 'allowed to write'],
  ['flushFolder', 'EDQUOT', 'disk is full'],
] as const)(
  'reports a failing %s with %s, loses nothing, and accepts the same change afterwards',
  async (verb, code, words) => {
    const { disk, state } = failingDisk(verb, code);
    const { client, dataDir, app } = await startServer({}, { disk });
    const admin = await client();
    await admin.signIn();
    const key = withKey();
    const create = async () =>
      admin.post(generators.endpoints.create, formOf(valuesFor(generators.fields), await filesFor(generators)), key);
    const refused = await create();
    expect(refused.statusCode).toBe(503);
    expect(refused.json().message).toContain(words);
    expect(refused.headers['retry-after']).toBe('60');
    expect((await admin.get(generators.endpoints.list)).json()).toEqual([]);
    expect(await app.services.db.selectFrom('files').selectAll().execute()).toEqual([]);
    expect((await readdir(join(dataDir, 'uploads'))).filter((name) => !name.startsWith('.'))).toEqual([]);
    expect(await readdir(join(dataDir, 'uploads', '.incoming'))).toEqual([]);
    state.broken = false;
    expect((await create()).statusCode).toBe(200);
  },
);

test('leaves no half-written picture when the disk fills up', async () => {
  let room = Number.POSITIVE_INFINITY;
  const create = async (path: string) => {
    const file = await realDisk.create(path);
    const write = async (bytes: Uint8Array) => {
      if ((room -= 1) < 0) throw fault('ENOSPC');
      await file.write(bytes);
    };
    return { ...file, write };
  };
  const { admin, dataDir, app } = await signedIn({}, { disk: { ...realDisk, create } });
  const form = formOf(valuesFor(generators.fields), await filesFor(generators));
  // The three files as received still fit; none of the encoded ones does.
  room = 3;
  expect((await admin.post(generators.endpoints.create, form)).statusCode).toBe(503);
  expect(await readdir(join(dataDir, 'uploads', '.incoming'))).toEqual([]);
  room = 5;
  expect((await admin.post(generators.endpoints.create, form)).statusCode).toBe(200);
  await app.services.sizes.done();
  for (const width of await readdir(join(dataDir, 'uploads', '.sizes'))) {
    expect(await readdir(join(dataDir, 'uploads', '.sizes', width))).toEqual([]);
  }
});

test('reports a full database, and loses nothing', async () => {
  let database: ReturnType<typeof openSqlite> | undefined;
  const open: typeof openSqlite = (path) => (database = openSqlite(path));
  const { client } = await startServer({}, { openSqlite: open });
  const admin = await client();
  await admin.signIn();
  database?.exec('PRAGMA max_page_count = 1');
  const values = { ...valuesFor(generators.fields), brand: 'b'.repeat(255) };
  const files = await filesFor(generators);
  const answers = [];
  for (let n = 0; n < 40; n += 1) answers.push(await admin.post(generators.endpoints.create, formOf(values, files)));
  const refused = answers.find((answer) => answer.statusCode !== 200);
  expect(refused?.statusCode).toBe(503);
  expect(refused?.json().message).toContain('disk is full');
  const accepted = answers.filter((answer) => answer.statusCode === 200).length;
  expect((await admin.get(generators.endpoints.list)).json()).toHaveLength(accepted);
});

test('keeps the files of a change whose commit was not confirmed, because its rows may name them', async () => {
  let isLost = false;
  const open: typeof openSqlite = (path) => {
    const database = openSqlite(path);
    const prepare = database.prepare.bind(database);
    database.prepare = (sql) => {
      const statement = prepare(sql);
      if (sql !== 'commit') return statement;
      const run = statement.run.bind(statement);
      const commit = () => {
        const done = run();
        if (isLost) throw fault('DATABASE_AWAY');
        return done;
      };
      return Object.assign(statement, { run: commit });
    };
    return database;
  };
  const { admin } = await signedIn({}, { openSqlite: open });
  const form = formOf(valuesFor(generators.fields), await filesFor(generators));
  const key = withKey();
  isLost = true;
  expect((await admin.post(generators.endpoints.create, form, key)).statusCode).toBe(503);
  isLost = false;
  const { id } = (await admin.post(generators.endpoints.create, form, key)).json();
  const { files } = (await admin.get(`${generators.endpoints.single}/${id}`)).json();
  expect(files).toHaveLength(3);
  for (const { name } of files) expect((await admin.get(`/uploads/${name}`)).statusCode).toBe(200);
});

test('explains a data folder that cannot be written to', async () => {
  const file = join(await freshFolder(), 'a file');
  await writeFile(file, '');
  await expect(openDatabase(join(file, 'data'))).rejects.toThrow(/data folder .* cannot be written to.*DATA_DIR/);
});

test('refuses a damaged database, and says what to do', async () => {
  const folder = await freshFolder();
  await writeFile(join(folder, 'voltdesk.sqlite'), Buffer.alloc(8192, 'no database'));
  await expect(openDatabase(folder)).rejects.toThrow(/damaged.*npm run restore/);
});

test.each([
  ['3.9.9', true],
  ['3.51.2', true],
  ['3.51.3', false],
  ['3.52.0', false],
  ['4.0.0', false],
])('checks whether SQLite %s can lose a commit: %s', (version, tooOld) => {
  expect(isTooOld(version)).toBe(tooOld);
});

test('refuses a database of a newer version', async () => {
  const folder = await freshFolder();
  const db = await openDatabase(folder);
  await db
    .insertInto('kysely_migration' as never)
    .values({ name: '999-later', timestamp: '' } as never)
    .execute();
  await db.destroy();
  await expect(openDatabase(folder)).rejects.toThrow('newer Voltdesk');
});

test('commits to a flushed write-ahead log', async () => {
  const folder = await freshFolder();
  const database = openSqlite(join(folder, 'a.sqlite'));
  const value = (pragma: string) => Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0];
  expect([value('journal_mode'), value('synchronous'), value('foreign_keys')]).toEqual(['wal', 2, 1]);
  expect(Number(value('busy_timeout'))).toBeGreaterThanOrEqual(5000);
  database.close();
});

test('writes no password, token or cookie to its log', async () => {
  let log = '';
  const stream = { write: (text: string) => (log += text) };
  const { client } = await startServer({ LOG_LEVEL: 'trace' }, { logStream: stream });
  const admin = await client();
  await admin.signIn();
  await admin.signIn('admin@example.com', 'a wrong secret');
  await admin.get('/api/user');
  await admin.post('/api/logout', undefined);
  expect(log).toContain('/api/auth/login');
  const secrets = ['three brown horses', 'a wrong secret', admin.bearer(), ...admin.cookies.values()];
  for (const secret of secrets) expect(log).not.toContain(secret);
});

test('ends a connection that falls silent half-way through a body, and serves others meanwhile', async () => {
  const timeLimits = { request: 60_000, headers: 60_000, silence: 400, handling: 60_000, linger: 1_000 };
  const { app, client, dataDir } = await startServer({}, { timeLimits });
  const admin = await client();
  await admin.signIn();
  const address = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const head =
    `POST ${generators.endpoints.create} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n` +
    `Content-Length: 100000\r\nAuthorization: Bearer ${admin.bearer()}\r\nCookie: ${cookie}\r\n` +
    `X-XSRF-TOKEN: ${admin.cookies.get('XSRF-TOKEN')}\r\n\r\n`;
  const body = '--b\r\nContent-Disposition: form-data; name="catalog"; filename="a.pdf"\r\n\r\n%PDF-1.4 half';
  const sockets = Array.from({ length: 40 }, () => connect(Number(address.port), address.hostname));
  const ended = sockets.map((socket) => new Promise((resolve) => socket.on('error', resolve).on('close', resolve)));
  for (const socket of sockets) socket.write(head + body);
  expect((await fetch(`${address.origin}/api/capabilities`)).status).toBe(200);
  await Promise.all(ended);
  await expect.poll(() => readdir(join(dataDir, 'uploads', '.incoming'))).toEqual([]);
});

/** A server on a socket with a slow sign-in. Returns a function that tries one. */
async function slowSignIn(limits: { request: number; handling: number }, verify: () => Promise<unknown>) {
  const { app, client } = await startServer(
    {},
    { timeLimits: { linger: 1_000, headers: 60_000, silence: 700, ...limits } },
  );
  const admin = await client();
  await admin.get('/api/user');
  Object.assign(app.services.passwords, { verify });
  const headers = {
    'content-type': 'application/json',
    cookie: [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-xsrf-token': admin.cookies.get('XSRF-TOKEN') ?? '',
  };
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return () => fetch(`${address}/api/auth/login`, { method: 'POST', headers, body: JSON.stringify(ADMIN) });
}

test('lets a request wait for its answer longer than a connection may be silent', async () => {
  let looks = 0;
  const verify = () => ((looks += 1), new Promise((done) => setTimeout(done, 1500, false)));
  const signIn = await slowSignIn({ request: 60_000, handling: 60_000 }, verify);
  expect((await signIn()).status).toBe(422);
  expect(looks).toBe(1);
});

test('ends a connection whose request is never answered, even after its body was read', async () => {
  const signIn = await slowSignIn({ request: 500, handling: 500 }, () => new Promise(() => undefined));
  await expect(signIn()).rejects.toThrow('fetch failed');
});

test('ends a connection on which no one reads the answer', async () => {
  const size = 32 * 1024 * 1024;
  const timeLimits = { request: 60_000, headers: 60_000, silence: 400, handling: 60_000, linger: 1_000 };
  const folder = await freshFolder();
  await writeFile(join(folder, 'large.bin'), Buffer.alloc(size));
  const { app } = await startServer({ APP_DIR: folder }, { timeLimits });
  const address = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const opened = new Promise<Socket>((resolve) => app.server.once('connection', resolve));
  const socket = connect(Number(address.port), address.hostname);
  socket.on('error', () => undefined).pause();
  socket.write('GET /large.bin HTTP/1.1\r\nHost: x\r\n\r\n');
  const served = await opened;
  await expect.poll(() => served.destroyed).toBe(true);
  socket.destroy();
  const whole = await fetch(`${address.origin}/large.bin`);
  expect((await whole.arrayBuffer()).byteLength).toBe(size);
});

test.each([
  ['headers arrive', { request: 60_000, headers: 300 }, 'GET / HTTP/1.1\r\nX: '],
  ['body arrives', { request: 300, headers: 300 }, 'GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n'],
])('ends a request whose %s too slowly, even if it is never silent', async (_what, limits, start) => {
  const { app } = await startServer(
    {},
    { timeLimits: { linger: 1_000, silence: 60_000, handling: 60_000, ...limits } },
  );
  const address = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect(Number(address.port), address.hostname);
  let answer = '';
  socket.on('data', (data) => (answer += data)).on('error', () => undefined);
  const drops = setInterval(() => socket.write('x'), 50);
  socket.write(start);
  await new Promise((resolve) => socket.on('close', resolve));
  clearInterval(drops);
  expect(answer).toContain('408 Request Timeout');
});

test('has a time limit for every kind of slowness', async () => {
  const { app } = await startServer();
  await app.listen({ host: '127.0.0.1', port: 0 });
  expect(app.server.headersTimeout).toBe(20_000);
  expect(app.server.requestTimeout).toBe(20 * 60_000);
  expect(app.server.timeout).toBe(75_000);
});

test('answers 503 when it takes too long itself', async () => {
  const timeLimits = { request: 1000, headers: 60_000, silence: 60_000, handling: 1000, linger: 1_000 };
  const { app, client } = await startServer({}, { timeLimits });
  Object.assign(app.services.passwords, { verify: () => new Promise(() => undefined) });
  const admin = await client();
  const answer = await admin.signIn();
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toEqual({ message: 'The server took too long. Please try again.', code: 'too-slow' });
});
