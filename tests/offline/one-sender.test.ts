import { describe, expect, test, vi } from 'vitest';
import { drain } from '../../src/offline/sender/drain.ts';
import type { Environment, Locks } from '../../src/offline/storage/environment.ts';
import { readMeta } from '../../src/offline/storage/meta.ts';
import { isWorkOverdue } from '../../src/offline/sender/overdue.ts';
import { drainAwake } from '../../src/offline/sender/drain-loop.ts';
import { generatorDraft } from './support/drafts.ts';
import { json, OfflineWorld } from './support/offline-world.ts';

/** The Web Locks of one browser, granted one at a time. */
function lockManager(): Locks {
  let tail: Promise<unknown> = Promise.resolve();
  return {
    request: (_name, { signal }, work) =>
      new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
        tail = tail.then(() => (signal?.aborted ? undefined : work({}).then(resolve, reject)));
      }),
  };
}

/** A lock that is never released. */
const leaked: Locks = {
  request: (_name, { signal }) =>
    new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
};

async function countOnServer(world: OfflineWorld, mark: string): Promise<number> {
  const rows = await world.ask<{ brand: string }[]>('/api/get-generators');
  return rows.filter(({ brand }) => brand === `Brand ${mark}`).length;
}

test('two pages and a worker that wake together send each change once, in order', async () => {
  const world = await OfflineWorld.begin();
  const locks = lockManager();
  const senders = [1, 2, 3].map(() => world.device.environment({ locks }));
  for (const mark of ['a', 'b', 'c', 'd']) await world.save(generatorDraft(`together-${mark}`));
  await Promise.all(senders.map((sender) => drain(sender)));
  expect(world.sent.map(({ fields }) => fields.get('brand'))).toEqual(
    ['a', 'b', 'c', 'd'].map((mark) => `Brand together-${mark}`),
  );
});

test('a call during a drain joins it, and sends what was saved meanwhile', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('first-of-two'));
  const { drained, letGo } = await world.drainHalfWay();
  await world.save(generatorDraft('second-of-two'));
  void drain(world.page);
  letGo();
  await drained;
  expect(await world.waiting()).toEqual([]);
});

/** Runs `before` ahead of the last write of a drain that finds nothing, and `after` this many microtasks behind it. */
function aroundLastWrite(
  { outbox }: Environment,
  before: () => Promise<unknown>,
  ticks: number,
  after: () => Promise<unknown>,
): Promise<unknown> {
  const run = outbox.transaction.bind(outbox) as (...given: unknown[]) => Promise<unknown>;
  const spy = vi.spyOn(outbox, 'transaction') as unknown as {
    mockImplementation(run: unknown): void;
    mockRestore(): void;
  };
  return new Promise((resolve, reject) => {
    spy.mockImplementation(async (mode: string, tables: unknown[], work: unknown) => {
      // it takes the lease, looks, releases the lease, and only then collects garbage
      if (mode !== 'rw' || tables[0] !== outbox.entries) return run(mode, tables, work);
      spy.mockRestore();
      await before();
      const result = await run(mode, tables, work);
      turns(ticks).then(after).then(resolve, reject);
      return result;
    });
  });
}

async function turns(ticks: number): Promise<void> {
  for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
}

test('a call in the last moments of a drain joins it', async () => {
  const world = await OfflineWorld.begin('contract-only');
  await world.drain();
  for (let ticks = 0; ticks < 20; ticks += 1) {
    const save = () => world.save(generatorDraft(`last-moment-${ticks}`));
    const called = aroundLastWrite(world.page, save, ticks, () => world.drain());
    await world.drain();
    await called;
    expect(await world.waiting(), `${ticks} microtasks after the last write`).toEqual([]);
  }
});

describe('without locks', () => {
  test('the lease alone keeps a second sender out', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('lease'));
    const { drained, letGo } = await world.drainHalfWay();
    expect(await drain(world.device.environment())).toEqual({ elsewhere: true });
    letGo();
    await drained;
    expect(world.sent).toHaveLength(1);
  });

  test('an expired lease is taken over, and the change that was being sent is looked up by its key', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('taken-over'));
    const { drained, letGo } = await world.drainHalfWay();
    world.device.timers.clear();
    world.device.time += 31_000;
    await drain(world.device.environment());
    expect(world.sent).toHaveLength(1);
    expect(await world.waiting()).toEqual([]);
    letGo();
    await drained;
    expect(await countOnServer(world, 'taken-over')).toBe(1);
  });

  test('a lease from before the clock was set back keeps no sender out', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('set-back'));
    const { drained, letGo } = await world.drainHalfWay();
    world.device.time -= 48 * 3_600_000;
    expect(await drain(world.device.environment())).not.toHaveProperty('elsewhere');
    letGo();
    await drained;
    expect(await countOnServer(world, 'set-back')).toBe(1);
  });
});

test('a sender that returns late does not overwrite what its successor recorded', async () => {
  const world = await OfflineWorld.begin();
  const draft = generatorDraft('late-answer');
  const { id } = await world.save({ ...draft, values: { ...draft.values, capacity: '' } });
  const { drained, letGo } = await world.drainHalfWay();
  const successor = world.device.environment({ locks: lockManager() });
  world.answerChanges(json(503, { message: 'Busy.' }));
  await drain(successor);
  letGo();
  await drained;
  const [entry] = await world.waiting();
  expect(entry).toMatchObject({ id, state: 'pending', reason: { code: 'busy' } });
});

test('a sender that returns late leaves its successor’s lease alone', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('late-first'));
  await world.save(generatorDraft('late-second'));
  const late = await world.drainHalfWay();
  const answer = Promise.withResolvers<void>();
  world.onChanges(async (request, pass) => {
    const response = await pass(request);
    await answer.promise;
    return response;
  });
  const successor = drain(world.device.environment({ locks: lockManager() }));
  await expect.poll(() => world.sent).toHaveLength(2);
  late.letGo();
  await late.drained;
  expect(await drain(world.device.environment())).toEqual({ elsewhere: true });
  answer.resolve();
  await successor;
  expect(await world.waiting()).toEqual([]);
});

test('every sender has a higher fence than the previous one', async () => {
  const world = await OfflineWorld.begin();
  const locks = lockManager();
  const senders = [{}, { locks }, { locks }, {}].map((traits) => world.device.environment(traits));
  const fences: (number | undefined)[] = [];
  for (const sender of senders) {
    await drain(sender);
    fences.push((await readMeta(world.page.outbox, 'lease'))?.fence);
  }
  expect(fences).toEqual([1, 2, 3, 4]);
});

test('a leaked lock blocks the queue for no longer than a lease', async () => {
  const world = await OfflineWorld.begin();
  const page = world.device.environment({ locks: leaked });
  await world.save(generatorDraft('leaked'));
  const drained = drain(page);
  world.device.pass(30_000);
  await drained;
  expect(await world.waiting()).toEqual([]);
});

test('the lock does not take the lease from a sender that works without it', async () => {
  const world = await OfflineWorld.begin();
  Object.assign(world.page, { locks: leaked });
  await world.save(generatorDraft('impatient'));
  const halfWay = world.drainHalfWay();
  world.device.pass(30_000);
  const { drained, letGo } = await halfWay;
  const late = world.device.environment({ locks: lockManager() });
  expect(await drain(late)).toEqual({ elsewhere: true });
  world.device.timers.clear();
  world.device.time += 31_000;
  expect(await drain(late)).toEqual({});
  letGo();
  await drained;
  expect(await countOnServer(world, 'impatient')).toBe(1);
});

/** Lets more time pass than a lease lasts, with its renewals: another sender still finds it valid. */
async function expectLeaseKept(world: OfflineWorld): Promise<void> {
  const renewals = () => [...world.device.timers].filter(({ at }) => at === world.device.time + 10_000);
  for (let tens = 0; tens < 2; tens += 1) {
    world.device.pass(10_000);
    await expect.poll(renewals).toHaveLength(1);
  }
  world.device.time += 15_000;
  expect(await drain(world.device.environment())).toEqual({ elsewhere: true });
}

test('a long upload keeps its lease', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('long'));
  const { drained, letGo } = await world.drainHalfWay();
  await expectLeaseKept(world);
  letGo();
  await drained;
});

test('a long upload keeps its lease even if one renewal fails', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('long-failing'));
  const { drained, letGo } = await world.drainHalfWay();
  vi.spyOn(world.page.outbox, 'transaction').mockRejectedValueOnce(new DOMException('Too slow.', 'TimeoutError'));
  await expectLeaseKept(world);
  letGo();
  await drained;
});

test('a sender that was replaced stops renewing its lease', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('fenced-off'));
  const { drained, letGo } = await world.drainHalfWay();
  await drain(world.device.environment({ locks: lockManager() }));
  world.device.pass(10_000);
  await expect.poll(() => world.device.timers.size).toBe(1);
  letGo();
  await drained;
});

test('changes that nobody sends become overdue', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('overdue'));
  expect(await isWorkOverdue(world.page, 60_000)).toBe(false);
  world.device.pass(60_000);
  expect(await isWorkOverdue(world.page, 60_000)).toBe(true);
  await world.drain();
  expect(await isWorkOverdue(world.page, 60_000)).toBe(false);
});

test('changes that nobody sends become overdue even if the clock was set back', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('before-set-back'));
  await world.drain();
  world.device.time -= 48 * 3_600_000;
  await world.save(generatorDraft('after-set-back'));
  expect(await isWorkOverdue(world.page, 60_000)).toBe(false);
  world.device.pass(60_000);
  expect(await isWorkOverdue(world.page, 60_000)).toBe(true);
  await world.drain();
  await world.save(generatorDraft('from-before-set-back'));
  world.device.time -= 48 * 3_600_000;
  expect(await isWorkOverdue(world.page, 60_000)).toBe(true);
});

test('a short wait is waited out, so that a delete is sent after its undo time with every page closed', async () => {
  const world = await OfflineWorld.begin();
  const base = { version: '1', values: {} };
  await world.save({ op: 'delete', resource: 'generators', recordId: '4711', base }, { undoFor: 6_000 });
  const drained = drainAwake(world.page);
  await expect
    .poll(() => {
      world.device.pass(1_000);
      return world.sent;
    })
    .toHaveLength(1);
  expect(await drained).toEqual({});
});
