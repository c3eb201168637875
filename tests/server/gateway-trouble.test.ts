import { randomUUID } from 'node:crypto';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Journal } from '../../server/stores/remote/journal.ts';
import { CREATE, catalog, hashes, photos, settled, single, VALUES } from './gateway-ups.ts';
import { adminOf, gatewayWorld } from './gateway-world.ts';
import { freshFolder, withKey } from './harness.ts';

describe('a journal that cannot be written once the back end has the change', () => {
  const fullAt = (method: 'answer' | 'passOn', call: number) => {
    const full = { isFull: false };
    const openJournal: typeof Journal.open = async (...given) => {
      const journal = await Journal.open(...given);
      const write = journal[method].bind(journal) as (...args: unknown[]) => Promise<void>;
      let calls = 0;
      const failing = async (...args: unknown[]) => {
        calls += 1;
        if (full.isFull && calls >= call) throw Object.assign(new Error('disk full'), { errcode: 13 });
        return write(...args);
      };
      return Object.assign(journal, { [method]: failing });
    };
    return { full, openJournal };
  };

  test.each([
    ['answer', 1],
    ['passOn', 2],
  ] as const)('does not say that nothing was changed (%s)', async (method, call) => {
    const world = await gatewayWorld();
    await world.app.close();
    const { full, openJournal } = fullAt(method, call);
    const admin = adminOf(await world.start({ openJournal }), world.token);
    full.isFull = true;
    const key = randomUUID();
    const answer = await admin.post(CREATE, VALUES, [catalog, ...(await photos(1))], withKey(key));
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'in-flight']);
    full.isFull = false;
    expect((await settled({ admin, clock: world.clock }, key)).json()).toMatchObject({ id: 1 });
    expect(world.backend.rows('ups')).toHaveLength(1);
  });
});

test('an older journal that is put back does not make again what was deleted since', async () => {
  const world = await gatewayWorld();
  const key = randomUUID();
  world.link.faults.push('lost');
  await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))], withKey(key));
  await world.app.close();
  const older = await freshFolder();
  await cp(world.dataDir, older, { recursive: true });
  const app = await world.start();
  const admin = adminOf(app, world.token);
  expect((await settled({ admin, clock: world.clock }, key, 30_000)).json()).toMatchObject({ id: 1 });
  await admin.order('/api/delete-ups/1', withKey());
  await app.close();
  await world.clock.pass(24 * 3_600_000);
  const restored = adminOf(await world.start({}, older), world.token);
  for (let minute = 0; minute < 5; minute += 1) await world.clock.pass(60_000);
  expect(world.backend.rows('ups')).toEqual([]);
  expect((await restored.get(`/api/changes/${key}`)).json()).toMatchObject({ code: 'unsettled' });
});

describe('a limit of files that is set higher than the back end’s', () => {
  const many = { settings: { API_MAX_FILES: '50', MAX_FILES: '50' } };

  test('costs requests, and no photo of a create', async () => {
    const world = await gatewayWorld(many);
    await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(45))], withKey());
    expect(new Set(hashes(world)).size).toBe(45);
    expect(hashes(world)).toHaveLength(45);
  });

  test.each([false, true])('costs requests, and no photo of an edit (encoded anew: %s)', async (reencodes) => {
    const world = await gatewayWorld({ ...many, habits: { reencodes } });
    const [first, ...more] = await photos(46);
    await world.admin.post(CREATE, VALUES, [catalog, ...(first ? [first] : [])], withKey());
    const key = randomUUID();
    const answer = await world.admin.post(single(1), VALUES, more, withKey(key));
    const done = answer.statusCode === 409 ? await settled(world, key) : answer;
    expect(done.statusCode).toBe(200);
    expect(new Set(hashes(world)).size).toBe(46);
    expect(hashes(world)).toHaveLength(46);
  });
});

test('a damaged journal stops the start with what to do, which is not to restore a backup', async () => {
  const world = await gatewayWorld();
  await world.app.close();
  await writeFile(join(world.dataDir, 'gateway.sqlite'), Buffer.alloc(8192, 7));
  const started = world.start();
  await expect(started).rejects.toThrow(/gateway\.sqlite/);
  await expect(started).rejects.not.toThrow(/npm run restore/);
});
