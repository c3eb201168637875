import { Dexie } from 'dexie';
import { expect, test, vi } from 'vitest';
import { readList, writeList } from '../../src/offline/cache/cache.ts';
import { drainAwake } from '../../src/offline/sender/drain-loop.ts';
import { drain } from '../../src/offline/sender/drain.ts';
import { patienceOf } from '../../src/offline/sender/patience.ts';
import { beginHandover } from '../../src/offline/sender/worker-handover.ts';
import { readMeta } from '../../src/offline/storage/meta.ts';
import { generatorDraft } from './support/drafts.ts';
import { json, OfflineWorld } from './support/offline-world.ts';

const MINUTE = 60_000;

test('a worker starts nothing after four minutes, even if it waited in between', async () => {
  const world = await OfflineWorld.begin();
  for (const mark of ['one', 'two', 'three', 'four']) await world.save(generatorDraft(`sat-${mark}`));
  const later = json(429, { message: 'Later.' }, { 'retry-after': '20' });
  world.onChanges(async (request, pass) => {
    if (world.sent.length === 1) return later();
    world.device.time += 1.5 * MINUTE;
    return pass(request);
  });
  const awake = drainAwake(world.page);
  await expect.poll(() => [...world.device.timers].some(({ at }) => at === world.device.time + 20_000)).toBe(true);
  world.device.pass(20_000);
  expect(await awake).toEqual({ until: world.device.time });
  expect([(await world.done()).length, world.sent.length]).toEqual([3, 4]);
  expect(await world.waiting()).toMatchObject([{ state: 'pending', attempts: 0 }]);
});

test('a failed drain does not block the next one', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('failed-once'));
  const broken = { request: () => Promise.reject(new Error('No locks just now.')) };
  const page = { ...world.page, locks: broken as unknown as LockManager };
  const failed = [drain(page), drain(page)];
  for (const one of failed) await expect(one).rejects.toThrow('No locks just now.');
  Object.assign(page, { locks: world.page.locks });
  await drain(page);
  expect(await world.done()).toHaveLength(1);
});

test('a worker that is handing over does not wait out a later pause', async () => {
  const world = await OfflineWorld.begin('contract-only');
  await world.save({ op: 'delete', resource: 'generators', recordId: '4711' }, { undoFor: 6_000 });
  beginHandover(world.page, MINUTE);
  let drained: unknown;
  const stayAwake = async () => {
    drained = await drainAwake(world.page);
  };
  void stayAwake();
  await expect.poll(() => drained).toEqual({ until: world.device.time + 6_000 });
  world.device.pass(MINUTE);
});

test('a wait that ends leaves no abort listener behind', async () => {
  const world = await OfflineWorld.begin('contract-only');
  const removed = vi.spyOn(AbortSignal.prototype, 'removeEventListener');
  await world.save({ op: 'delete', resource: 'generators', recordId: '4711' }, { undoFor: 6_000 });
  const awake = drainAwake(world.page);
  await expect.poll(() => [...world.device.timers].some(({ at }) => at === world.device.time + 6_000)).toBe(true);
  removed.mockClear();
  world.device.pass(6_000);
  await awake;
  expect(removed.mock.calls.filter(([type]) => type === 'abort').length).toBeGreaterThan(0);
  removed.mockRestore();
});

test('a full device clears its cache to record the time of garbage collection', async () => {
  const { page } = await OfflineWorld.begin('contract-only');
  await writeList('generators', { rows: [], fetchedAt: 1 }, page.cache);
  let isFull = true;
  const clear = page.cache.values.clear.bind(page.cache.values);
  vi.spyOn(page.cache.values, 'clear').mockImplementation(() => {
    isFull = false;
    return clear();
  });
  page.outbox.meta.hook('creating', (key) => {
    if (key === 'tidied' && isFull) throw new Dexie.QuotaExceededError('The quota has been exceeded.');
  });
  expect(await drain(page)).toEqual({});
  expect(await readMeta(page.outbox, 'tidied')).toBe(page.now());
  expect(await readList('generators', page.cache)).toBeUndefined();
});

test('an expired time-out that nobody awaits causes no unhandled rejection', async () => {
  const unheard = vi.fn<(reason: unknown) => void>();
  process.on('unhandledRejection', unheard);
  const { device, page } = await OfflineWorld.begin('contract-only');
  const { signal } = patienceOf(page, 10_000);
  device.pass(10_000);
  // Node reports one before the next turn
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', unheard);
  expect([signal.aborted, unheard.mock.calls.length]).toEqual([true, 0]);
});
