import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { backUpOnTime } from '../../../server/ops/backup-timer.ts';
import { freshFolder, testSettings } from '../harness.ts';
import { twoServers } from './two-servers.ts';

const HOUR = 60 * 60 * 1000;

test('of servers that look at once, one sets about a backup, and all know it when it is made', async () => {
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

test('who cannot ask whether a backup is due makes none, and goes on', async () => {
  const app = fastify();
  onTestFinished(() => app.close());
  let asked = 0;
  const claim = async () => {
    asked += 1;
    throw new Error('The database is away.');
  };
  const notes = { note: async () => undefined, last: async () => undefined, claim };
  // a rejection that nobody handles ends a server, and fails this run
  backUpOnTime(app, testSettings({ DATA_DIR: await freshFolder(), BACKUP_DIR: '/nowhere' }), notes);
  await app.listen({ port: 0 });
  await expect.poll(() => asked).toBe(1);
  expect((await app.inject('/')).statusCode).toBe(404);
});
