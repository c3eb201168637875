import { describe, expect, test, vi } from 'vitest';
import { createWaker, LOOK_EVERY } from '../../src/api/waker.ts';
import { linkReturned, serverAnswered } from '../../src/offline/outbox/entry-commands.ts';
import { drain } from '../../src/offline/sender/drain.ts';
import { isLongInterrupted, isWorkOverdue } from '../../src/offline/sender/overdue.ts';
import type { WorkerMessage } from '../../src/offline/sender/worker-messages.ts';
import { readMeta, writeMeta } from '../../src/offline/storage/meta.ts';
import { generatorDraft, photo } from '../offline/support/drafts.ts';
import { cut, json, OfflineWorld } from '../offline/support/offline-world.ts';

interface Circumstances {
  readonly hasWorker?: boolean;
  readonly hidden?: boolean;
  readonly still?: boolean;
  readonly server?: 'own' | 'contract-only';
}

/** A page with one waiting change, and the messages to its worker. */
async function page(mark: string, circumstances: Circumstances = {}) {
  const { hasWorker = true, hidden = false, still = false, server = 'own' } = circumstances;
  const world = await OfflineWorld.begin(server);
  await world.save(generatorDraft(mark));
  const told: WorkerMessage['type'][] = [];
  const cookies: (string | undefined)[] = [];
  const drains: number[] = [];
  const reported: unknown[] = [];
  const worker = {
    postMessage: (message: WorkerMessage) => {
      told.push(message.type);
      if (message.type === 'DRAIN') cookies.push(message.cookie);
    },
  };
  const device = { isLongInterrupted, isWorkOverdue, linkReturned, serverAnswered };
  const waker = createWaker({
    device: async () => ({ ...device, browserEnvironment: () => world.page }),
    sender: async () => ({
      drain: async (environment, stopAt) => {
        const drained = await drain(environment, stopAt);
        drains.push(world.device.time);
        return drained;
      },
    }),
    worker: () => (hasWorker ? worker : undefined),
    isHidden: () => hidden,
    cookie: async () => world.device.cookies.get('XSRF-TOKEN'),
    keepsStill: () => still,
    report: (failure) => void reported.push(failure),
  });
  return { world, waker, told, cookies, drains, reported };
}

/** The link has been bad for a while: the queue waits for four minutes. */
function pause({ device: { time }, page: { outbox } }: OfflineWorld) {
  return writeMeta(outbox, 'pause', { cause: 'unreachable', since: time, until: time + 240_000, failures: 9 });
}

/** How many timers end in this many milliseconds. */
const dueIn = ({ device: { time, timers } }: OfflineWorld, milliseconds: number) =>
  [...timers].filter(({ at }) => at === time + milliseconds).length;

const isPaused = async ({ device, page: { outbox } }: OfflineWorld) =>
  ((await readMeta(outbox, 'pause'))?.until ?? 0) > device.time;

describe('a page whose worker can send', () => {
  test('only sends it a message', async () => {
    const { world, waker, told, drains } = await page('told');
    waker.wake();
    await expect.poll(() => told).toEqual(['DRAIN']);
    expect(drains).toEqual([]);
    expect(world.sent).toEqual([]);
  });

  test('passes on the anti-forgery cookie, which the worker may not see', async () => {
    const { world, waker, cookies } = await page('cookie');
    waker.wake();
    await expect.poll(() => cookies).toEqual([world.device.cookies.get('XSRF-TOKEN')]);
    expect(cookies[0]).toMatch(/./);
  });

  test('sends by itself when the worker asks it to', async () => {
    const { world, waker, told } = await page('asked');
    waker.sendHere();
    await expect.poll(() => world.waiting()).toEqual([]);
    expect(told).toEqual([]);
  });

  test('ends the wait for a bad link first when the link seems to be back', async () => {
    const { world, waker, told } = await page('guess');
    await pause(world);
    waker.wake();
    await expect.poll(() => told).toEqual(['DRAIN']);
    expect(await isPaused(world)).toBe(true);
    waker.wake({ linkReturned: true });
    await expect.poll(() => told).toEqual(['DRAIN', 'DRAIN']);
    expect(await isPaused(world)).toBe(false);
  });

  test('ends the queue’s wait when the server answers this page, but not that of a change too large for the link', async () => {
    const { world, waker, told } = await page('answered');
    const heavy = { ...photo('heavy'), blob: new Blob([new Uint8Array(400_000)]) };
    await world.save({ ...generatorDraft('heavy', 0), files: [heavy] });
    world.onChanges(async () => cut());
    await world.drain();
    const due = (await world.waiting()).map(({ notBefore }) => notBefore);
    await pause(world);
    waker.wake({ answered: true });
    await expect.poll(() => told).toEqual(['DRAIN']);
    expect(await isPaused(world)).toBe(false);
    expect((await world.waiting()).map(({ notBefore }) => notBefore)).toEqual(due);
    waker.wake({ linkReturned: true });
    await expect.poll(() => told).toEqual(['DRAIN', 'DRAIN']);
    expect((await world.waiting()).map(({ notBefore }) => notBefore)).not.toEqual(due);
  });

  test('keeps a wait that the server asked for, even when it answers something else', async () => {
    const { world, waker, told } = await page('busy');
    const { time } = world.device;
    const busy = { cause: 'busy', since: time, until: time + 240_000, failures: 1 } as const;
    await writeMeta(world.page.outbox, 'pause', busy);
    waker.wake({ answered: true });
    await expect.poll(() => told).toEqual(['DRAIN']);
    expect(await isPaused(world)).toBe(true);
  });

  test('sends overdue changes by itself', async () => {
    const { world, waker, told } = await page('overdue');
    await waker.lookAgain();
    await expect.poll(() => told).toEqual(['DRAIN']);
    world.device.time += LOOK_EVERY;
    await waker.lookAgain();
    expect(await world.waiting()).toEqual([]);
    expect(told).toEqual(['DRAIN']);
  });

  test.each([
    ['it is visible', false],
    ['it is hidden', true],
  ])('probes a bad link each minute only while someone looks: %s', async (_who, hidden) => {
    const { world, waker, told } = await page(`look-${hidden}`, { hidden });
    await pause(world);
    await waker.lookAgain();
    await expect.poll(() => told).toEqual(['DRAIN']);
    expect(await isPaused(world)).toBe(hidden);
  });
});

describe('a page that has to send by itself', () => {
  test.each([['there is no worker', { hasWorker: false }, []]])(
    'sends by itself when %s',
    async (_why, circumstances, told) => {
      const own = await page(`own-${told.length}`, circumstances);
      own.waker.wake();
      await expect.poll(() => own.world.waiting()).toEqual([]);
      expect(own.told).toEqual(told);
    },
  );

  test('takes over a change that takes longer than a worker lives', async () => {
    const { world, waker, told } = await page('long', { server: 'contract-only' });
    const heavy = { ...photo('long'), blob: new Blob([new Uint8Array(4_000_000)]) };
    await world.save({ ...generatorDraft('long-one', 0), files: [heavy] });
    world.onChanges(async () => cut());
    await world.drain();
    world.device.pass(3_600_000);
    await world.drain();
    waker.wake();
    await expect.poll(() => told).toEqual(['WATCH']);
  });

  test('looks again when the next change is due', async () => {
    const { world, waker, drains } = await page('due', { hasWorker: false });
    world.answerChanges(json(503, { message: 'Busy.' }, { 'retry-after': '15' }));
    waker.wake();
    await expect.poll(() => drains).toHaveLength(1);
    await expect.poll(() => dueIn(world, 15_000)).toBe(1);
    expect(world.sent).toHaveLength(1);
    world.device.pass(14_000);
    expect(drains).toHaveLength(1);
    world.device.pass(1_000);
    await expect.poll(() => drains).toHaveLength(2);
    expect(await world.waiting()).toEqual([]);
  });

  test('does not probe a bad link before the wait is over', async () => {
    const { world, waker, drains } = await page('no-probe', { hasWorker: false });
    await pause(world);
    waker.wake();
    await expect.poll(() => drains).toHaveLength(1);
    await expect.poll(() => dueIn(world, LOOK_EVERY)).toBe(1);
    world.device.pass(LOOK_EVERY);
    await expect.poll(() => drains).toHaveLength(2);
    expect(await isPaused(world)).toBe(true);
    expect(world.sent).toEqual([]);
  });

  test('looks again after at most a minute, once, however often it was woken', async () => {
    const { world, waker, drains } = await page('minute', { hasWorker: false });
    world.answerChanges(json(503, { message: 'Busy.' }, { 'retry-after': '3600' }));
    waker.wake();
    await expect.poll(() => drains).toHaveLength(1);
    waker.wake();
    await expect.poll(() => drains).toHaveLength(2);
    await expect.poll(() => dueIn(world, LOOK_EVERY)).toBe(1);
    world.device.pass(LOOK_EVERY);
    await expect.poll(() => drains).toHaveLength(3);
    expect(world.sent).toHaveLength(1);
  });

  test('starts nothing while a new version takes over', async () => {
    const { world, waker, told, drains } = await page('still', { hasWorker: false, still: true });
    waker.wake({ linkReturned: true });
    waker.sendHere();
    await waker.lookAgain();
    await world.drain();
    await expect.poll(() => world.done()).toHaveLength(1);
    expect([told, drains]).toEqual([[], []]);
  });

  test('reports a failure on the device, and continues at the next look', async () => {
    const { world, waker, told, reported } = await page('broken');
    const lost = new Error('The storage does not answer.');
    const { meta } = world.page.outbox;
    const get = vi.spyOn(meta, 'get').mockRejectedValue(lost as never);
    waker.wake({ linkReturned: true });
    await expect.poll(() => reported).toEqual([lost]);
    await waker.lookAgain();
    expect(reported).toEqual([lost, lost]);
    get.mockRestore();
    await waker.lookAgain();
    await expect.poll(() => told).toEqual(['DRAIN']);
  });
});
