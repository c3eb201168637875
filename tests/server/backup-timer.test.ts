import { cpSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { backUpOnTime } from '../../server/ops/backup-timer.ts';
import type { BackupNotes } from '../../server/ops/last-backup.ts';
import { isSealed } from '../../server/ops/sealed-file.ts';
import { soon } from '../harness/soon.ts';
import { signedIn } from './harness.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LOOK = 10 * MINUTE;

const settingsOf = (dataDir: string, more: object = {}) => ({
  dataDir,
  databaseUrl: '',
  uploadsUrl: '',
  backupDir: mkdtempSync(join(tmpdir(), 'voltdesk-backups-')),
  backupKeep: 3,
  backupEveryHours: 6,
  backupKey: '',
  ...more,
});

/** A timer on an app of which only hooks and log are there; the clock is the test's, the backups are real. */
function timerWith(settings: ReturnType<typeof settingsOf>, start = backUpOnTime) {
  const hooks: Record<string, () => unknown> = {};
  const said: string[] = [];
  const claim = vi.fn<BackupNotes['claim']>(async () => true);
  const keepClaim = vi.fn(async () => undefined);
  const log = { info: (line: string) => said.push(line), error: (line: string) => said.push(line) };
  const addHook = (name: string, hook: () => unknown) => (hooks[name] = hook);
  const notes = { claim, keepClaim, note: async () => undefined, last: async () => undefined };
  start({ addHook, log } as unknown as FastifyInstance, settings, notes);
  const ended = async (count: number) => {
    while (said.length < count) await pause(20);
    return said;
  };
  return { claim, keepClaim, said, ended, listen: () => hooks['onListen']?.(), close: () => hooks['onClose']?.() };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] }));
afterEach(() => void vi.useRealTimers());

test('looks when the server listens and every ten minutes, and makes what is due, sealed where a key is set', async () => {
  const { dataDir } = await signedIn();
  const settings = settingsOf(dataDir, { backupKey: 'a key of twenty letters and more' });
  const { claim, keepClaim, ended, listen, close } = timerWith(settings);
  listen();
  await soon(() => expect(claim).toHaveBeenCalledExactlyOnceWith(6 * HOUR));
  await pause(5);
  vi.advanceTimersByTime(LOOK);
  // one at a time: the claim is kept while it is being made
  expect([claim.mock.calls.length, keepClaim.mock.calls.length]).toEqual([1, 1]);
  expect(await ended(1)).toEqual(['backup made']);
  const [file] = readdirSync(settings.backupDir);
  expect(await isSealed(join(settings.backupDir, file ?? ''))).toBe(true);
  claim.mockResolvedValue(false);
  vi.advanceTimersByTime(LOOK);
  expect(claim).toHaveBeenCalledTimes(2);
  await close();
  vi.advanceTimersByTime(10 * LOOK);
  expect(claim).toHaveBeenCalledTimes(2);
});

test('tells in the log what a backup said that failed, and tries again an hour later', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'voltdesk-nothing-'));
  const { claim, ended, listen, close } = timerWith(settingsOf(empty));
  listen();
  const [line] = await ended(1);
  expect(line).toMatch(/^backup failed: .*no database/is);
  vi.advanceTimersByTime(HOUR - 1);
  expect(claim).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(LOOK);
  expect(claim).toHaveBeenCalledTimes(2);
  await ended(2);
  await close();
});

test('where files lie in a bucket, the backup is told of it', async () => {
  const { dataDir } = await signedIn();
  const { ended, listen, close } = timerWith(settingsOf(dataDir, { uploadsUrl: 'nonsense' }));
  listen();
  const [line] = await ended(1);
  expect(line).toMatch(/^backup failed: .*UPLOADS_URL/s);
  await close();
});

test('begins nothing while nobody can tell whether one is due', async () => {
  const { claim, said, listen, close } = timerWith(settingsOf('/nowhere'));
  claim.mockRejectedValue(new Error('The database is away.'));
  listen();
  await pause(50);
  expect([claim.mock.calls.length, said]).toEqual([1, []]);
  await close();
});

test('a backup goes on while nobody can be told that it runs', async () => {
  const { dataDir } = await signedIn();
  const { claim, keepClaim, ended, listen, close } = timerWith(settingsOf(dataDir));
  keepClaim.mockRejectedValue(new Error('The database is away.'));
  listen();
  await soon(() => expect(claim).toHaveBeenCalledOnce());
  await pause(5);
  vi.advanceTimersByTime(LOOK);
  expect(keepClaim).toHaveBeenCalledOnce();
  expect(await ended(1)).toEqual(['backup made']);
  await close();
});

test('a server that ends takes its backup along', async () => {
  const { dataDir } = await signedIn();
  const { claim, ended, listen, close } = timerWith(settingsOf(dataDir));
  listen();
  await soon(() => expect(claim).toHaveBeenCalledOnce());
  await pause(20);
  await close();
  expect(await ended(1)).toEqual(['backup failed: it ended with null']);
});

test('backups are made from a folder whose name has blanks and letters of other languages', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'voltdesk-')), 'Büro 2');
  mkdirSync(join(folder, 'ops'), { recursive: true });
  cpSync('server/ops/backup-timer.ts', join(folder, 'ops', 'backup-timer.ts'));
  writeFileSync(join(folder, 'backup.ts'), '');
  const copy = (await import(/* @vite-ignore */ join(folder, 'ops', 'backup-timer.ts'))) as {
    backUpOnTime: typeof backUpOnTime;
  };
  const { listen, ended, close } = timerWith(settingsOf(folder), copy.backUpOnTime);
  listen();
  expect(await ended(1)).toEqual(['backup made']);
  await close();
});
