import { afterEach, expect, test } from 'vitest';
import { drain } from '../../src/offline/sender/drain.ts';
import { beginHandover } from '../../src/offline/sender/worker-handover.ts';
import { drainAwake } from '../../src/offline/sender/drain-loop.ts';
import { generatorDraft } from './support/drafts.ts';
import { OfflineWorld } from './support/offline-world.ts';

const HELD_BACK = 60_000;

let world: OfflineWorld;

afterEach(() => world.device.pass(HELD_BACK));

test('a change being sent is finished, and nothing starts after it', async () => {
  world = await OfflineWorld.begin();
  for (const mark of ['first', 'second', 'third']) await world.save(generatorDraft(`way-${mark}`));
  const { drained, letGo } = await world.drainHalfWay();
  beginHandover(world.page, HELD_BACK);
  letGo();
  expect(await drained).toEqual({ until: world.device.time });
  expect(await world.done()).toHaveLength(1);
  expect((await world.waiting()).map(({ state, attempts }) => ({ state, attempts }))).toEqual([
    { state: 'pending', attempts: 0 },
    { state: 'pending', attempts: 0 },
  ]);
});

/** Expects that nothing is sent until the whole time has passed, and then one change. */
async function expectHeldBack(): Promise<void> {
  world.device.pass(HELD_BACK - 1);
  await drain(world.page);
  expect(world.sent).toEqual([]);
  world.device.pass(1);
  await drain(world.page);
  expect(world.sent).toHaveLength(1);
}

test('no wake-up makes the worker send before the handover is over', async () => {
  world = await OfflineWorld.begin();
  await world.save(generatorDraft('hinted'));
  beginHandover(world.page, HELD_BACK);
  await drain(world.page);
  await expectHeldBack();
});

test('a second request extends the handover', async () => {
  world = await OfflineWorld.begin();
  await world.save(generatorDraft('once-more'));
  beginHandover(world.page, HELD_BACK);
  world.device.pass(HELD_BACK / 2);
  beginHandover(world.page, HELD_BACK);
  await expectHeldBack();
});

test('a handover ends a wait at once', async () => {
  world = await OfflineWorld.begin();
  await world.save({ op: 'delete', resource: 'generators', recordId: '4711' }, { undoFor: 6_000 });
  const awake = drainAwake(world.page);
  await expect.poll(() => world.device.timers.size).toBeGreaterThan(0);
  beginHandover(world.page, HELD_BACK);
  expect(await awake).toEqual({ until: world.device.time + 6_000 });
  expect(world.sent).toEqual([]);
});
