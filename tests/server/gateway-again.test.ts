import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { vitalsOfGateway } from '../../server/ops/health.ts';
import { keepFiles, removeFiles } from '../../server/stores/remote/received-files.ts';
import { versionOf } from '../../server/stores/remote/result.ts';
import { realDisk } from '../../server/uploads/disk.ts';
import type { ReceivedFile } from '../../server/uploads/received.ts';
import type { Storage } from '../../server/uploads/storage.ts';
import { ups } from '../../src/domain/resources/ups.ts';
import { answerOf } from '../harness/back-link.ts';
import { soon } from '../harness/soon.ts';
import { CREATE, catalog, hashes, photos, settled, single, VALUES, type World } from './gateway-ups.ts';
import { adminOf, gatewayWorld, LONGEST_REQUEST } from './gateway-world.ts';
import { formOf, freshFolder, withKey } from './harness.ts';
import { filesFor, picture } from './samples.ts';

/** A create with unknown delivery, and the newer session of its sender. */
async function lostCreate() {
  const world = await gatewayWorld();
  world.link.faults.push('lost');
  const lost = await world.admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'));
  expect(lost.statusCode).toBe(409);
  return { ...world, newer: adminOf(world.app, await world.signIn()) };
}

const listReads = ({ link }: Pick<World, 'link'>) =>
  link.reads.filter((path) => path.startsWith(ups.endpoints.list)).length;

test('continues a change of an ended session in its sender’s newer session, once that asks for it', async () => {
  const world = await lostCreate();
  const headers = { accept: 'application/json', authorization: `Bearer ${world.token}` };
  await world.backend.handle(new Request('http://x/api/logout', { method: 'POST', headers }));
  expect((await world.newer.get('/api/changes/key-of-a-create')).statusCode).toBe(409);
  const answer = await settled({ ...world, admin: world.newer }, 'key-of-a-create', LONGEST_REQUEST);
  expect([answer.statusCode, answer.json().id]).toEqual([200, 1]);
  expect(world.backend.rows('ups')).toHaveLength(1);
});

test('looks for an outcome at once when a newer session asks, and does not check twice from then on', async () => {
  const world = await lostCreate();
  const quiet = async () => {
    for (let turn = 0; turn < 50; turn += 1) await setImmediate();
  };
  await quiet();
  const before = listReads(world);
  expect((await world.newer.get('/api/changes/key-of-a-create')).statusCode).toBe(409);
  void world.clock.pass(0);
  await soon(() => expect(listReads(world)).toBeGreaterThan(before));
  await quiet();
  const each = listReads(world) - before;
  void world.clock.pass(1000);
  await soon(() => expect(listReads(world)).toBeGreaterThan(before + each));
  await quiet();
  expect(listReads(world) - before).toBe(2 * each);
});

test('removes an image from the record that shows it, even if another had its id before a restore', async () => {
  const before = await gatewayWorld();
  await before.admin.post(CREATE, VALUES, [catalog, ...(await photos(2))]);
  await before.admin.get(single(1));
  await before.app.close();
  const restored = await gatewayWorld();
  const admin = adminOf(await restored.start({}, before.dataDir), restored.token);
  for (const colour of ['#111111', '#222222']) {
    const photo = { field: 'images[]', bytes: await picture('png', colour), name: 'a.png', type: 'image/png' };
    await admin.post(CREATE, { ...VALUES, brand: colour }, [catalog, photo]);
  }
  const { images, version } = (await admin.get(single(2))).json();
  expect(images).toMatchObject([{ id: 2 }]);
  const answer = await admin.order('/api/delete-image/2', { ...withKey(), 'if-match': `"${version}"` });
  expect([answer.statusCode, restored.backend.images('ups', 2)]).toEqual([200, []]);
  expect(restored.backend.images('ups', 1)).toHaveLength(1);
});

test('passes on a change once that arrives twice simultaneously, and answers the repeats as in flight', async () => {
  const { admin, link, backend } = await gatewayWorld();
  const gate = Promise.withResolvers<void>();
  link.faults.push(async (carryOut) => {
    await gate.promise;
    return carryOut();
  });
  const create = async () => admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'));
  const both = [create(), create()];
  for (const repeat of [await Promise.race(both), await admin.get('/api/changes/key-of-a-create')])
    expect([repeat.statusCode, repeat.json().code]).toEqual([409, 'in-flight']);
  gate.resolve();
  expect((await Promise.all(both)).map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
  expect((await create()).statusCode).toBe(200);
  expect([link.posts.length, backend.rows('ups').length]).toEqual([1, 1]);
});

test('resumes a rollback with the next check, without waiting until the refused part can no longer arrive', async () => {
  const world = await gatewayWorld();
  await world.admin.post(CREATE, VALUES, [catalog, ...(await photos(1))]);
  const refused = answerOf(422, { message: 'No.', errors: { brand: ['No.'] } });
  world.link.faults.push(undefined, refused, 'refused');
  const more = (await photos(31)).slice(1);
  const answer = await world.admin.post(single(1), { ...VALUES, brand: 'New' }, more, withKey());
  expect(answer.statusCode).toBe(409);
  expect(hashes(world).length).toBeGreaterThan(1);
  void world.clock.pass(1000);
  await soon(() => expect(hashes(world)).toHaveLength(1), 5);
});

test('finds the row of a create that arrives late, after its list was read, and sends nothing again', async () => {
  const world = await lostCreate();
  const files = await filesFor(ups);
  let isLate = false;
  world.link.insteadOfRead = (path) => {
    if (isLate || !path.startsWith(ups.endpoints.list)) return undefined;
    isLate = true;
    return (async () => {
      await world.elsewhere(CREATE, formOf(VALUES, files));
      return answerOf(200, [])();
    })();
  };
  const answer = await settled(world, 'key-of-a-create', LONGEST_REQUEST);
  expect(answer.json()).toMatchObject({ id: 1 });
  expect([world.link.posts.length, world.backend.rows('ups').length]).toEqual([1, 1]);
});

/** A gateway's folder with files received for a change. */
async function received(sizes: readonly number[], maxFileBytes = 100) {
  const folder = await freshFolder();
  let made = 0;
  const randomBytes = (count: number) => Buffer.alloc(count, (made += 1));
  const storage = { folder, disk: realDisk, randomBytes, limits: { maxFileBytes } } as unknown as Storage;
  const files = await Promise.all(
    sizes.map(async (size, index): Promise<ReceivedFile> => {
      const path = join(folder, `incoming-${index}`);
      await writeFile(path, Buffer.alloc(size, index));
      const type = index === 0 ? 'application/pdf' : undefined;
      return {
        field: index === 0 ? 'catalog' : 'images',
        path,
        originalName: index === 0 ? '' : 'b.png',
        size,
        sha256: `${index}`,
        type,
      };
    }),
  );
  const target = { op: 'create', resource: ups } as const;
  return { storage, folder, keep: () => keepFiles(storage, { target, form: { texts: new Map(), files } }) };
}

test('keeps waiting files under new names, with a default name and type if they have none, until removed', async () => {
  const { storage, folder, keep } = await received([5, 6, 7]);
  const kept = await keep();
  const [catalogName, first, second] = [1, 2, 3].map((mark) => Buffer.alloc(20, mark).toString('hex'));
  const facts = { field: 'images', originalName: 'b.png', type: 'application/octet-stream' };
  expect(kept).toEqual([
    { field: 'catalog', sha256: '0', size: 5, name: catalogName, originalName: 'blob', type: 'application/pdf' },
    { ...facts, sha256: '1', size: 6, name: first },
    { ...facts, sha256: '2', size: 7, name: second },
  ]);
  expect((await readdir(folder)).toSorted()).toEqual([catalogName, first, second]);
  expect(await readFile(join(folder, second ?? ''))).toEqual(Buffer.alloc(7, 2));
  await removeFiles(storage, kept);
  expect(await readdir(folder)).toEqual([]);
});

test('keeps a file of exactly the limit, and names each larger one with the limit', async () => {
  expect(await (await received([2048, 2048], 2048)).keep()).toHaveLength(2);
  const { keep, folder } = await received([2049, 5, 2049], 2048);
  await expect(keep()).rejects.toMatchObject({
    status: 422,
    body: {
      errors: {
        catalog: ['Too large: 2.1 kB. The limit is 2 kB.'],
        'images.1': ['Too large: 2.1 kB. The limit is 2 kB.'],
      },
    },
  });
  expect((await readdir(folder)).toSorted()).toEqual(['incoming-0', 'incoming-1', 'incoming-2']);
});

test('computes the same version of a record as before an update of the gateway', () => {
  expect(versionOf({ id: 1, name: 'Volt' })).toBe('O-x-HV-S3ObLw50EB0euyH');
  expect(versionOf({ id: 1, name: 'Volta' })).not.toBe(versionOf({ id: 1, name: 'Volt' }));
});

test('reports problems of its back end and its certificate', async () => {
  const settings = { dataDir: await freshFolder(), publicHost: 'localhost' };
  let at = 0;
  const look = vitalsOfGateway(
    settings,
    async () => 'The back end is away.',
    () => at,
  );
  at += 60_000;
  const vitals = await look();
  expect(vitals).toMatchObject({
    startedAt: '1970-01-01T00:00:00.000Z',
    problem: 'The back end is away.',
    certificate: { problem: 'localhost cannot be reached from this server.' },
  });
  const none = await vitalsOfGateway(
    { ...settings, publicHost: '' },
    async () => undefined,
    () => 0,
  )();
  expect(Object.keys(none).toSorted()).toEqual(['diskFree', 'diskSize', 'startedAt']);
});
