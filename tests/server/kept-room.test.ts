import { randomBytes } from 'node:crypto';
import { readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { buildApp } from '../../server/app.ts';
import { newFastify } from '../../server/fastify.ts';
import { StagingFolder } from '../../server/staging/staging-folder.ts';
import { Staging } from '../../server/staging/staging.ts';
import { openSqliteEngine } from '../../server/stores/sqlite/store.ts';
import { realDisk } from '../../server/uploads/disk.ts';
import { filesOnDisk } from '../../server/uploads/file-store.ts';
import { MARKER } from '../../server/uploads/marker.ts';
import { originalOf, sizeNames } from '../../server/uploads/sizes.ts';
import { freshFolder, startServer, testSettings } from './harness.ts';
import { pdf, sha256 } from './samples.ts';

const HOUR = 60 * 60_000;
const MEGABYTE = 1024 * 1024;

/** Puts three old files of a megabyte each into a server's uploads folder. Returns a function that lists its files. */
async function putOldFiles(dataDir: string) {
  const folder = join(dataDir, 'uploads');
  for (const [index, name] of ['a', 'b', 'c'].entries()) {
    await writeFile(join(folder, name), Buffer.alloc(MEGABYTE));
    const at = new Date(Date.now() - (index + 1) * HOUR);
    await utimes(join(folder, name), at, at);
  }
  return async () => (await readdir(folder)).filter((name) => !name.startsWith('.')).toSorted();
}

test('never evicts files whose only place is the folder itself', async () => {
  const { app, dataDir } = await startServer({ FILE_CACHE_MB: '1' });
  const names = await putOldFiles(dataDir);
  const { files } = app.services.storage;
  for (const name of ['a', 'b', 'c']) await files.fetch(name);
  await files.keep(['a']);
  expect(await names()).toEqual(['a', 'b', 'c']);
});

test('caches at most FILE_CACHE_MB of the files of a shared database', async () => {
  const dataDir = await freshFolder();
  let at = Date.now();
  const engine = await openSqliteEngine(dataDir);
  const folder = join(dataDir, 'uploads');
  // what was evicted comes back from elsewhere
  const fetch = (name: string) => writeFile(join(folder, name), Buffer.alloc(MEGABYTE));
  const openEngine = async () => ({ ...engine, filesOf: () => ({ ...filesOnDisk(folder, realDisk), fetch }) });
  const { app } = await startServer(
    { DATA_DIR: dataDir, FILE_CACHE_MB: '2', DATABASE_URL: 'postgres://a:b@127.0.0.1:9/x' },
    { openEngine, now: () => at },
  );
  const names = await putOldFiles(dataDir);
  for (const name of ['c', 'b', 'a']) {
    await app.services.storage.files.fetch(name);
    at += HOUR;
  }
  expect(await names()).toEqual(['a', 'b']);
  // what names the installation is no copy of anything
  expect(await readdir(folder)).toContain(MARKER);
});

test('starts on a full disk, and logs that no disk space is reserved', async () => {
  const log: string[] = [];
  const full = () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
  const settings = testSettings({ DATA_DIR: await freshFolder(), LOG_LEVEL: 'warn' });
  const app = await buildApp(settings, {
    disk: { ...realDisk, create: full },
    logStream: { write: (line) => log.push(line) },
  });
  expect((await app.inject('/healthz')).statusCode).toBe(200);
  await app.close();
  expect(log.map((line) => JSON.parse(line).msg)).toContain('no room is reserved on the disk');
});

test('maps the name of a size to its original, and any other name to itself', () => {
  for (const name of ['ab.jpg', 'ab.webp', 'ab.png', 'ab.avif'])
    expect([...new Set([name, ...sizeNames(name)].map(originalOf))]).toEqual([name]);
});

test('flushes what it reports as present of an upload left by a killed server', async () => {
  const folder = await freshFolder();
  const flushed: string[] = [];
  const disk = { ...realDisk, flush: async (path: string) => (flushed.push(path), realDisk.flush(path)) };
  const open = () => {
    const uploads = new StagingFolder({ folder, disk, now: Date.now });
    return new Staging({ uploads, maxFileBytes: MEGABYTE, maxStagedBytes: MEGABYTE });
  };
  const bytes = Buffer.concat([pdf(), randomBytes(1000)]);
  const hash = sha256(bytes);
  await open().begin(1, hash, bytes.length);
  await open().append(1, hash, { offset: 0, content: Readable.from([bytes.subarray(0, 300)]) });
  const [part] = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.part'));
  expect((await stat(join(folder, part ?? ''))).size).toBe(300);
  for (const ask of [() => open().progress(1, hash), () => open().begin(1, hash, bytes.length)]) {
    flushed.length = 0;
    expect(await ask()).toEqual({ offset: 300, length: bytes.length });
    expect(flushed).toEqual([join(folder, part ?? '')]);
  }
});

test('gives a request’s handler its own time limit, separate from that of receiving', async () => {
  const limits = { request: 200, headers: 200, silence: 5000, handling: 400, linger: 100 };
  const app = newFastify(testSettings({ DATA_DIR: await freshFolder() }), undefined, limits);
  let begun = 0;
  app.get('/:time', async (request) => {
    begun += 1;
    await new Promise((resolve) => setTimeout(resolve, Number((request.params as { time: string }).time)));
    return 'done';
  });
  await app.ready();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const [first, other] = [app.inject('/350'), app.inject('/1500')];
  await expect.poll(() => begun, { interval: 1 }).toBe(2);
  vi.advanceTimersByTime(350);
  const short = await first;
  expect([short.statusCode, short.body]).toEqual([200, 'done']);
  vi.advanceTimersByTime(500);
  expect((await other).statusCode).toBe(503);
  vi.useRealTimers();
  await app.close();
});
