// a live query looks for the browser's own IndexedDB
import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import { discard } from '../../src/offline/outbox/entry-commands.ts';
import { follow } from '../../src/offline/outbox/await-settled.ts';
import { writeMeta } from '../../src/offline/storage/meta.ts';
import { generatorDraft } from './support/drafts.ts';
import { answeredFault } from '../../src/domain/outbox/status.ts';
import { cut, json, OfflineWorld } from './support/offline-world.ts';

/** Waits until the entry, and the pause after it, have been read for the first time. */
async function seen({ page }: OfflineWorld): Promise<void> {
  const looks = vi.spyOn(page.outbox.meta, 'get');
  await expect.poll(() => looks).toHaveResolved();
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve) => request.addEventListener('success', () => resolve(request.result)));
}

test('a screen that follows its change is told of the answer', async () => {
  const world = await OfflineWorld.begin();
  const { id } = await world.save(generatorDraft('follow'));
  const followed = follow(world.page, id);
  await world.drain();
  expect(await followed).toMatchObject({ state: 'done' });
});

test('a screen that follows a refused change is told of the refusal', async () => {
  const world = await OfflineWorld.begin();
  const draft = generatorDraft('refused');
  const { id } = await world.save({ ...draft, values: { ...draft.values, capacity: '' } });
  const followed = follow(world.page, id);
  await world.drain();
  expect(await followed).toMatchObject({ state: 'attention' });
});

test.each([
  ['a server error', json(500, { message: 'The disk is full.' }), 'The disk is full.'],
  ['a server under maintenance', json(503, { message: 'Back at nine.' }), 'Back at nine.'],
])('a screen that follows its change is told at once of %s, with the server’s words', async (_what, answer, words) => {
  const world = await OfflineWorld.begin();
  const { id } = await world.save(generatorDraft('fault'));
  world.answerChanges(answer);
  const followed = follow(world.page, id);
  await world.drain();
  const entry = await followed;
  expect(answeredFault(entry)).toBe(words);
  expect(world.device.timers.size).toBe(0);
});

test('a change that waits without an answer has no words of the server', async () => {
  const world = await OfflineWorld.begin();
  const { id } = await world.save(generatorDraft('no-words'));
  world.answerChanges(cut);
  await world.drain();
  const followed = follow(world.page, id);
  await seen(world);
  world.device.pass(4_000);
  expect(answeredFault(await followed)).toBeUndefined();
});

test('after four seconds without an answer the change is told as it stands', async () => {
  const world = await OfflineWorld.begin();
  const { id } = await world.save(generatorDraft('patience'));
  const followed = follow(world.page, id);
  await seen(world);
  world.device.pass(4_000);
  expect(await followed).toMatchObject({ state: 'pending' });
});

test('what a worker wrote without a word to the page is told all the same, at the limit', async () => {
  const world = await OfflineWorld.begin();
  const { id, sequence } = await world.save(generatorDraft('unheard'));
  const followed = follow(world.page, id);
  await seen(world);
  const { outbox } = world.page;
  // beside Dexie, which would tell the page
  const beside = outbox.backendDB().transaction(outbox.entries.name, 'readwrite').objectStore(outbox.entries.name);
  beside.put({ ...(await done(beside.get(sequence))), state: 'done' });
  await new Promise((completed) => beside.transaction.addEventListener('complete', completed));
  world.device.pass(4_000);
  expect(await followed).toMatchObject({ state: 'done' });
});

test('a device that is too slow for a first look in time still tells the change as it stands', async () => {
  const world = await OfflineWorld.begin();
  const { id } = await world.save(generatorDraft('slow'));
  const followed = follow(world.page, id);
  world.device.pass(4_000);
  expect(await followed).toMatchObject({ state: 'pending' });
});

test('a screen does not wait for an answer that cannot come in time', async () => {
  const world = await OfflineWorld.begin();
  const since = world.page.now();
  const pause = { cause: 'unreachable', since, until: since + 60_000, failures: 6 } as const;
  await writeMeta(world.page.outbox, 'pause', pause);
  const { id } = await world.save(generatorDraft('hopeless'));
  expect(await follow(world.page, id)).toMatchObject({ state: 'pending' });
});

test('a link that fails after the time is over ends the wait, also where the timer is late', async () => {
  const world = await OfflineWorld.begin();
  const { id } = await world.save(generatorDraft('late-timer'));
  const withoutTimers = { ...world.page, after: () => () => {} };
  const followed = follow(withoutTimers, id);
  await seen(world);
  world.device.pass(5_000);
  const since = world.page.now();
  await writeMeta(world.page.outbox, 'pause', { cause: 'unreachable', since, until: since + 2_000, failures: 1 });
  expect(await followed).toMatchObject({ state: 'pending' });
});

test('a screen waits for what is on its way, also where the queue is to pause after it', async () => {
  const world = await OfflineWorld.begin();
  const { id } = await world.save(generatorDraft('on-its-way'));
  const { drained, letGo } = await world.drainHalfWay();
  const since = world.page.now();
  await writeMeta(world.page.outbox, 'pause', { cause: 'busy', since, until: since + 60_000, failures: 1 });
  const followed = follow(world.page, id);
  await seen(world);
  letGo();
  await drained;
  expect(await followed).toMatchObject({ state: 'done' });
});

test('a screen waits through a pause that ends in time', async () => {
  const world = await OfflineWorld.begin();
  const since = world.page.now();
  await writeMeta(world.page.outbox, 'pause', { cause: 'unreachable', since, until: since + 2_000, failures: 1 });
  const { id } = await world.save(generatorDraft('hopeful'));
  const followed = follow(world.page, id);
  await seen(world);
  world.device.pass(2_000);
  await world.drain();
  expect(await followed).toMatchObject({ state: 'done' });
});

test('a change that is given up meanwhile ends the following', async () => {
  const world = await OfflineWorld.begin();
  const { id } = await world.save(generatorDraft('given-up'));
  const followed = follow(world.page, id);
  await seen(world);
  await discard(world.page, id);
  expect(await followed).toMatchObject({ id });
});

test('a change that nobody knows cannot be followed', async () => {
  const world = await OfflineWorld.begin();
  await expect(follow(world.page, 'unknown')).rejects.toThrow('not in the outbox');
});
