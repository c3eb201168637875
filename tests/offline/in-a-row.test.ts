import { beforeEach, describe, expect, test, vi } from 'vitest';
import { AFTERMATH } from '../../src/domain/outbox/transitions.ts';
import { drainAwake } from '../../src/offline/sender/drain-loop.ts';
import { carried, pieceSize } from '../../src/offline/sender/link.ts';
import type { Identity } from '../../src/offline/storage/outbox-database.ts';
import { beginHandover } from '../../src/offline/sender/worker-handover.ts';
import { editOf, generatorDraft, generatorValues, heavyDraft } from './support/drafts.ts';
import { cut, json, OfflineWorld } from './support/offline-world.ts';

const KB = 1024;

let world: OfflineWorld;

describe('consecutive changes', () => {
  beforeEach(async () => {
    world = await OfflineWorld.begin('own');
  });

  test('have their files opened while the previous change is being sent', async () => {
    const { page } = world;
    let opened = 0;
    page.outbox.files.hook('reading', (file) => {
      opened += 1;
      return file;
    });
    const saved = [await world.save(generatorDraft('row1')), await world.save(generatorDraft('row2'))];
    world.onChanges(async (request, pass) => {
      if (world.sent.length === 1) {
        // each has two files
        await expect.poll(() => opened).toBe(4);
        await page.outbox.files.clear();
      }
      return pass(request);
    });
    await world.drain();
    expect((await world.done()).map(({ id }) => id).toSorted()).toEqual(saved.map(({ id }) => id).toSorted());
    expect(await world.waiting()).toEqual([]);
  });

  test('continue after one whose result could not be stored, which is checked later and not created twice', async () => {
    const { identities } = world.page.outbox;
    const [, second] = [await world.save(generatorDraft('odd1')), await world.save(generatorDraft('odd2'))];
    await world.save(generatorDraft('odd3'));
    const put = identities.put.bind(identities);
    let times = 0;
    const fails = vi.spyOn(identities, 'put').mockImplementation(((row: Identity) => {
      times += 1;
      return times === 2 ? Promise.reject(new Error('The disk is busy.')) : put(row);
    }) as never);
    await world.drain();
    fails.mockRestore();
    expect(await world.waiting()).toMatchObject([{ id: second?.id, state: 'pending', delivery: ['attempt'] }]);
    expect(await world.done()).toHaveLength(2);
    await world.linkReturns();
    expect(await world.waiting()).toEqual([]);
    expect(await world.generators('odd2')).toHaveLength(1);
  });

  test('wait for the previous change of the same record', async () => {
    const create = await world.save(generatorDraft('same'));
    let before: unknown;
    world.onChanges(async (request, pass) => {
      if (world.sent.length === 1) await world.save(editOf(create, { origin: 'Spain' }));
      else before = (await world.done()).length;
      return pass(request);
    });
    await world.drain();
    expect([before, await world.waiting()]).toEqual([1, []]);
  });

  test('of one record each use the version that the previous one created', async () => {
    await world.save(generatorDraft('versions', 2));
    await world.drain();
    const [row] = await world.generators('versions');
    const recordId = String(row?.id);
    const { images, version } = await world.ask<{ images: { id: number; image: string }[]; version: string }>(
      `/api/get-single-generator/${recordId}`,
    );
    const imageIds = images.map(({ id }) => id);
    const [image] = images;
    const values = generatorValues('versions');
    const about = { resource: 'generators', recordId, base: { version, values, imageIds } } as const;
    await world.save({ op: 'delete-image', ...about, imageId: image?.id ?? 0, image: image?.image ?? '' });
    const edit = { op: 'update', ...about, values: { ...values, origin: 'Spain' }, files: [] } as const;
    await world.save({ ...edit, base: { ...edit.base, imageIds: imageIds.slice(1) } });
    world.sent.length = 0;
    await world.drain();
    expect(world.sent).toHaveLength(2);
    expect(new Set(world.sent.map(({ ifMatch }) => ifMatch)).size).toBe(2);
    expect((await world.done()).map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
  });

  test('stop when the sender is to hand over', async () => {
    for (const mark of ['stop1', 'stop2']) await world.save(generatorDraft(mark));
    world.onChanges(async (request, pass) => {
      beginHandover(world.page, 60_000);
      return pass(request);
    });
    expect(await world.drain()).toEqual({ until: world.device.time });
    expect(await world.waiting()).toMatchObject([{ state: 'pending', attempts: 0 }]);
    expect(world.sent).toHaveLength(1);
  });
});

test('a single change with files raises the measured link speed', async () => {
  world = await OfflineWorld.begin('contract-only');
  await world.save(heavyDraft('fast', 300 * KB));
  world.onChanges(async (request, pass) => {
    world.device.pass(2_000);
    return pass(request);
  });
  await world.drain();
  // next it tries twice the known amount
  expect(pieceSize(world.page)).toBe(512 * KB);
  carried(world.page, 512 * KB, 5_000);
  await world.save(heavyDraft('slow', 300 * KB));
  world.onChanges(async () => cut());
  await world.drain();
  expect(pieceSize(world.page)).toBe(512 * KB);
});

test('a record that was never sent is deleted without a link, but not one that was tried', async () => {
  world = await OfflineWorld.begin('contract-only');
  await world.drain();
  const removed = async (mark: string, before: () => Promise<unknown>) => {
    const { change } = await world.save(generatorDraft(mark));
    await before();
    if (change.op !== 'create') throw new Error('It is made.');
    await world.save({ op: 'delete', resource: 'generators', recordId: change.recordId });
    world.device.wire = async () => cut();
    world.device.pass(60_000);
    await world.drain();
    return (await world.waiting()).length;
  };
  expect(await removed('never', async () => undefined)).toBe(0);
  const tried = async () => {
    world.onChanges(async () => cut());
    world.device.pass(60_000);
    await world.drain();
  };
  expect(await removed('tried', tried)).toBe(2);
});

describe('a sender that stays awake', () => {
  beforeEach(async () => {
    world = await OfflineWorld.begin('contract-only');
  });

  /** Returns true if the change with this wait is sent while the sender is awake. */
  async function sits(wait: number): Promise<boolean> {
    const { device } = world;
    const began = device.time;
    await world.save(generatorDraft(`awake-${wait}`));
    world.answerChanges(json(429, { message: 'Later.' }, { 'retry-after': String(wait / 1_000) }));
    const awake = drainAwake(world.page);
    let isOver = false;
    void awake.finally(() => {
      isOver = true;
    });
    // after its pause, a change without a conclusive answer is read back once its request cannot take effect any more
    for (const until of [wait, AFTERMATH].map((after) => began + after)) {
      await expect.poll(() => isOver || [...device.timers].some(({ at }) => at === until)).toBe(true);
      device.pass(until - device.time);
    }
    await awake;
    return (await world.waiting()).length === 0;
  }

  test('waits out a short pause and leaves a longer one to the next wake-up', async () => {
    expect(await sits(25_000)).toBe(true);
    expect(await sits(26_000)).toBe(false);
  });

  test('ends its wait when it is to hand over, and sends nothing', async () => {
    await world.save(generatorDraft('gives-way'));
    world.answerChanges(json(429, { message: 'Later.' }, { 'retry-after': '20' }));
    const awake = drainAwake(world.page);
    await expect.poll(() => [...world.device.timers].some(({ at }) => at === world.device.time + 20_000)).toBe(true);
    beginHandover(world.page, 60_000);
    expect(await awake).toEqual({ until: world.device.time + 20_000 });
    expect(world.sent).toHaveLength(1);
  });
});
