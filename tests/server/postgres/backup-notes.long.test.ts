import { once } from 'node:events';
import { createServer } from 'node:net';
import fastify from 'fastify';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { BackupRunner } from '../../../server/ops/backup-runner.ts';
import { backUpOnTime } from '../../../server/ops/backup-timer.ts';
import { freshFolder, testSettings } from '../harness.ts';
import { twoServers } from './two-servers.ts';

const HOUR = 60 * 60 * 1000;

test('lets only one of several servers start a due backup, and tells all when it is made', async () => {
  const { one, other } = await twoServers();
  const [here, there] = [one.app.services.backups, other.app.services.backups];
  const claims = await Promise.all([here, there, here, there].map((notes) => notes.claim(24 * HOUR)));
  expect(claims.filter(Boolean)).toHaveLength(1);
  expect(await there.last()).toBeUndefined();
  const backup = { at: new Date().toISOString(), file: '/backups/one.voltdesk', damaged: 0 };
  await here.note(backup);
  expect(await there.last()).toEqual(backup);
  expect(await there.claim(24 * HOUR)).toBe(false);
});

test('lets no other server start a backup that runs for hours, as long as its server renews the claim', async () => {
  const { one, other } = await twoServers();
  const [here, there] = [one.app.services.backups, other.app.services.backups];
  const passMinutes = (minutes: number) =>
    sql`UPDATE last_backup SET claimed_at = claimed_at - make_interval(mins => ${minutes})`.execute(
      one.app.services.db,
    );
  expect(await here.claim(24 * HOUR)).toBe(true);
  for (let i = 0; i < 3; i += 1) {
    await passMinutes(50);
    expect(await there.claim(24 * HOUR)).toBe(false);
    await here.keepClaim();
  }
  await passMinutes(61);
  expect(await there.claim(24 * HOUR)).toBe(true);
});

test('renews the claim on a running backup at every check', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as { readonly port: number };
  const app = fastify();
  onTestFinished(() => app.close());
  const keepClaim = vi.fn(async () => undefined);
  const claim = vi.fn(async () => true);
  const notes = { note: async () => undefined, last: async () => undefined, all: async () => [], claim, keepClaim };
  const DATABASE_URL = `postgres://nobody@127.0.0.1:${port}/none`;
  const settings = testSettings({ DATA_DIR: await freshFolder(), BACKUP_DIR: await freshFolder(), DATABASE_URL });
  backUpOnTime(app, settings.backupEveryHours, { runner: new BackupRunner(settings), notes });
  const connected = once(silent, 'connection');
  await app.listen({ port: 0 });
  await connected;
  await vi.advanceTimersByTimeAsync(2 * 10 * 60 * 1000);
  expect([claim.mock.calls.length, keepClaim.mock.calls.length]).toEqual([1, 2]);
});

test('makes no backup when it cannot find out whether one is due, and continues', async () => {
  const app = fastify();
  onTestFinished(() => app.close());
  let asked = 0;
  const claim = async () => {
    asked += 1;
    throw new Error('The database is away.');
  };
  const notes = {
    note: async () => undefined,
    last: async () => undefined,
    all: async () => [],
    claim,
    keepClaim: async () => undefined,
  };
  // an unhandled rejection ends a server, and fails this run
  const settings = testSettings({ DATA_DIR: await freshFolder(), BACKUP_DIR: '/nowhere' });
  backUpOnTime(app, settings.backupEveryHours, { runner: new BackupRunner(settings), notes });
  await app.listen({ port: 0 });
  await expect.poll(() => asked).toBe(1);
  expect((await app.inject('/')).statusCode).toBe(404);
});
