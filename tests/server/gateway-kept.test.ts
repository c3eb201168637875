import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { realDisk } from '../../server/uploads/disk.ts';
import { answerOf } from '../harness/back-link.ts';
import { CREATE, catalog, photos, VALUES } from './gateway-ups.ts';
import { adminOf, gatewayWorld } from './gateway-world.ts';
import { withKey } from './harness.ts';

const filesOf = async (dataDir: string) =>
  (await readdir(join(dataDir, 'gateway'), { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

test('flushes the files of a change to disk before it passes anything on', async () => {
  const world = await gatewayWorld();
  const done: string[] = [];
  const disk = {
    ...realDisk,
    flush: async (path: string) => {
      await realDisk.flush(path);
      done.push('flush');
    },
    rename: async (from: string, to: string) => {
      await realDisk.rename(from, to);
      done.push('rename');
    },
    flushFolder: async (path: string) => {
      await realDisk.flushFolder(path);
      done.push('flush the folder');
    },
  };
  world.link.faults.push(async (carryOut) => {
    done.push('pass on');
    return carryOut();
  });
  const admin = adminOf(await world.start({ disk }), world.token);
  expect((await admin.post(CREATE, VALUES, [catalog, ...(await photos(1))])).statusCode).toBe(200);
  const steps = done.slice(done.indexOf('rename') - 1);
  expect(steps).toEqual(['flush', 'rename', 'flush', 'rename', 'flush the folder', 'pass on']);
});

test('keeps nothing of a change once it is answered, whatever the answer', async () => {
  const { admin, dataDir, link } = await gatewayWorld();
  link.faults.push(answerOf(422, { message: 'No.', errors: { brand: ['No.'] } }));
  for (const status of [422, 200]) {
    const answer = await admin.post(CREATE, VALUES, [catalog, ...(await photos(2))], withKey());
    expect(answer.statusCode).toBe(status);
    expect(await filesOf(dataDir)).toEqual([]);
  }
});

test('asks the back end who a user is once a minute, even when other users come in between', async () => {
  const world = await gatewayWorld();
  const other = adminOf(world.app, await world.signIn('second@example.com'));
  const asked = () => world.link.reads.filter((path) => path === '/api/user').length;
  for (let time = 0; time < 3; time += 1)
    for (const one of [world.admin, other]) expect((await one.get('/api/capabilities')).statusCode).toBe(200);
  const first = asked();
  for (let time = 0; time < 3; time += 1)
    for (const one of [world.admin, other]) await one.get('/api/changes/no-key-of-mine');
  expect(asked()).toBe(Math.max(first, 2));
  void world.clock.pass(60_000);
  await world.admin.get('/api/changes/no-key-of-mine');
  expect(asked()).toBe(Math.max(first, 2) + 1);
});
