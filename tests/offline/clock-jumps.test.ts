import { describe, expect, test } from 'vitest';
import { enqueue } from '../../src/offline/outbox/enqueue.ts';
import { undo } from '../../src/offline/outbox/entry-commands.ts';
import { drain } from '../../src/offline/sender/drain.ts';
import { generatorDraft } from './support/drafts.ts';
import { cut, OfflineWorld } from './support/offline-world.ts';

/** A clock that jumps changes nothing. A stock back end may still execute a request for half a minute after it was cut. */

const SECOND = 1_000;
const HOURS = 48 * 3_600 * SECOND;
const JUMPS = [-HOURS, -60 * SECOND, -1, 60 * SECOND, 5 * 60 * SECOND, HOURS];

async function brands(world: OfflineWorld): Promise<string[]> {
  return (await world.ask<{ brand: string }[]>('/api/get-generators')).map(({ brand }) => brand);
}

/** A create that is cut. The server executes it only when `arrive` is called. `inFlight` happens on the device meanwhile. */
async function slowCreate(mark: string, inFlight: (world: OfflineWorld) => void = () => undefined) {
  const world = await OfflineWorld.begin('contract-only');
  await world.save(generatorDraft(mark));
  let arrive: (() => Promise<unknown>) | undefined;
  world.onChanges(async (request, pass) => {
    if (arrive !== undefined) return pass(request);
    arrive = () => pass(request);
    inFlight(world);
    return cut();
  });
  await world.drain();
  return { world, arrive: async () => void (await arrive?.()) };
}

async function expectOnce(world: OfflineWorld, arrive: () => Promise<void>, mark: string): Promise<void> {
  await arrive();
  await world.linkReturns();
  await world.linkReturns();
  expect(await brands(world)).toEqual([`Brand ${mark}`]);
  expect(await world.waiting()).toEqual([]);
}

describe.each(JUMPS)('a clock that jumps by %i ms', (jump) => {
  test('while a create is in flight does not let it be created twice', async () => {
    const { world, arrive } = await slowCreate('in flight', ({ device }) => device.jump(jump));
    world.device.pass(3 * SECOND);
    await world.drain();
    await expectOnce(world, arrive, 'in flight');
  });

  test('after a create was cut does not let it be created twice', async () => {
    const { world, arrive } = await slowCreate('after');
    world.device.pass(3 * SECOND);
    world.device.jump(jump);
    await world.drain();
    world.device.pass(20 * SECOND);
    await world.drain();
    await expectOnce(world, arrive, 'after');
  });

  test('before another page looks for a create does not let it be created twice', async () => {
    const { world, arrive } = await slowCreate('another life');
    world.device.pass(3 * SECOND);
    world.device.jump(jump);
    const other = world.device.environment();
    await drain(other);
    world.device.pass(20 * SECOND);
    await drain(other);
    await expectOnce(world, arrive, 'another life');
  });

  test('ends no time to undo, and prolongs it by no more than itself', async () => {
    const world = await OfflineWorld.begin('contract-only');
    await world.save(generatorDraft('undo'));
    await world.drain();
    await world.linkReturns();
    const about = { op: 'delete', resource: 'generators', recordId: '1' } as const;
    const deletion = await world.save(about, { undoFor: 6 * SECOND });
    await world.drain();
    world.device.jump(jump);
    await world.drain();
    expect(await undo(world.page, deletion.id)).toBe(true);
    await world.save(about, { undoFor: 6 * SECOND });
    await world.drain();
    world.device.jump(jump);
    await world.drain();
    world.device.pass(6 * SECOND);
    await world.drain();
    expect(await brands(world)).toEqual([]);
  });

  test('delays no retry by more than its backoff', async () => {
    const world = await OfflineWorld.begin('own');
    const mark = `retry ${jump}`;
    await world.save(generatorDraft(mark));
    world.answerChanges(cut);
    await world.drain();
    world.device.jump(jump);
    for (let passed = 0; passed < 60; passed += 5) {
      world.device.pass(5 * SECOND);
      await world.drain();
    }
    expect(await world.generators(mark)).toHaveLength(1);
  });
});

test.each(JUMPS)('a jump of %i ms leaves a newer page its time to undo, although an older one sends', async (jump) => {
  const world = await OfflineWorld.begin('contract-only');
  await world.save(generatorDraft('newer page'));
  await world.drain();
  world.device.pass(10 * 60 * SECOND);
  await world.drain();
  world.device.jump(jump);
  const newer = world.device.environment();
  const remove = () => {
    const draft = { op: 'delete', resource: 'generators', recordId: '1' } as const;
    return enqueue(newer, draft, { administrator: world.me.id, title: 'Title', undoFor: 6 * SECOND });
  };
  const first = await remove();
  await world.drain();
  world.device.pass(5 * SECOND);
  await world.drain();
  expect(await undo(newer, first.id)).toBe(true);
  await remove();
  await world.drain();
  world.device.pass(7 * SECOND);
  await world.drain();
  expect(await brands(world)).toEqual([]);
});
