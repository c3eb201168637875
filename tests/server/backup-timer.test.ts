import { EventEmitter, once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BackupRunner } from '../../server/ops/backup-runner.ts';
import { backUpOnTime } from '../../server/ops/backup-timer.ts';
import type { BackupNotes } from '../../server/ops/last-backup.ts';
import { isSealed } from '../../server/ops/sealed-file.ts';
import { signedIn } from './harness.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LOOK = 10 * MINUTE;

const settingsOf = (dataDir: string, more: object = {}) => ({
  dataDir,
  databaseUrl: '',
  uploadsUrl: '',
  backupUrl: '',
  backupDir: mkdtempSync(join(tmpdir(), 'voltdesk-backups-')),
  backupKeep: 3,
  backupEveryHours: 6,
  backupKey: '',
  ...more,
});

/** A timer on an app with only hooks and a log. The test moves the clock; the backups are real. */
function timerWith(settings: ReturnType<typeof settingsOf>, start = backUpOnTime, Runner = BackupRunner) {
  const hooks: Record<string, () => unknown> = {};
  const said: string[] = [];
  const lines = new EventEmitter();
  const say = (line: string) => {
    said.push(line);
    lines.emit('said');
  };
  const claim = vi.fn<BackupNotes['claim']>(async () => true);
  const keepClaim = vi.fn(async () => undefined);
  const log = { info: say, error: say };
  const addHook = (name: string, hook: () => unknown) => (hooks[name] = hook);
  const notes = { claim, keepClaim, note: async () => undefined, last: async () => undefined, all: async () => [] };
  const runner = new Runner(settings);
  start({ addHook, log } as unknown as FastifyInstance, settings.backupEveryHours, { runner, notes });
  const ended = async (count: number) => {
    while (said.length < count) await once(lines, 'said');
    return said;
  };
  return {
    claim,
    keepClaim,
    said,
    ended,
    listen: () => hooks['onListen']?.(),
    close: () => (runner.close(), hooks['onClose']?.()),
  };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test('checks at start and every ten minutes, and makes a due backup, sealed if a key is set', async () => {
  const { dataDir } = await signedIn();
  const settings = settingsOf(dataDir, { backupKey: 'a key of twenty letters and more' });
  const { claim, keepClaim, ended, listen, close } = timerWith(settings);
  listen();
  await turn();
  expect(claim).toHaveBeenCalledExactlyOnceWith(6 * HOUR);
  vi.advanceTimersByTime(LOOK);
  // one at a time: the claim is kept while the backup is made
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

test('logs what a failed backup reported, and tries again an hour later', async () => {
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

test('passes the bucket’s address to the backup', async () => {
  const { dataDir } = await signedIn();
  const { ended, listen, close } = timerWith(settingsOf(dataDir, { uploadsUrl: 'nonsense' }));
  listen();
  const [line] = await ended(1);
  expect(line).toMatch(/^backup failed: .*UPLOADS_URL/s);
  await close();
});

test('starts nothing while it cannot find out whether a backup is due', async () => {
  const { claim, said, listen, close } = timerWith(settingsOf('/nowhere'));
  claim.mockRejectedValue(new Error('The database is away.'));
  listen();
  await turn();
  vi.advanceTimersByTime(LOOK);
  expect([claim.mock.calls.length, said]).toEqual([2, []]);
  await close();
});

test('completes a backup although its claim cannot be renewed', async () => {
  const { dataDir } = await signedIn();
  const { claim, keepClaim, ended, listen, close } = timerWith(settingsOf(dataDir));
  keepClaim.mockRejectedValue(new Error('The database is away.'));
  listen();
  await turn();
  expect(claim).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(LOOK);
  expect(keepClaim).toHaveBeenCalledOnce();
  expect(await ended(1)).toEqual(['backup made']);
  await close();
});

test('ends a running backup with the server', async () => {
  const { dataDir } = await signedIn();
  const { claim, ended, listen, close } = timerWith(settingsOf(dataDir));
  listen();
  await turn();
  expect(claim).toHaveBeenCalledOnce();
  await close();
  expect(await ended(1)).toEqual(['backup failed: it ended with null']);
});

test('makes backups from a folder with spaces and non-ASCII letters in its name', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'voltdesk-')), 'Büro 2');
  mkdirSync(join(folder, 'ops'), { recursive: true });
  cpSync('server/ops/backup-runner.ts', join(folder, 'ops', 'backup-runner.ts'));
  writeFileSync(join(folder, 'cli.ts'), '');
  const copy = (await import(/* @vite-ignore */ join(folder, 'ops', 'backup-runner.ts'))) as {
    BackupRunner: typeof BackupRunner;
  };
  const { listen, ended, close } = timerWith(settingsOf(folder), backUpOnTime, copy.BackupRunner);
  listen();
  expect(await ended(1)).toEqual(['backup made']);
  await close();
});
