// a live query uses the global IndexedDB
import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import { discard } from '../../src/offline/outbox/entry-commands.ts';
import { follow } from '../../src/offline/outbox/await-settled.ts';
import { writeMeta } from '../../src/offline/storage/meta.ts';
import { generatorDraft } from './support/drafts.ts';
import { answeredFault } from '../../src/domain/outbox/status.ts';
import { cut, json, OfflineWorld } from './support/offline-world.ts';

/** Waits until the entry and the queue's pause have been read for the first time. */
async function seen({ page }: OfflineWorld): Promise<void> {
  const looks = vi.spyOn(page.outbox.meta, 'get');
  await expect.poll(() => looks).toHaveResolved();
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve) => request.addEventListener('success', () => resolve(request.result)));
}

test('a form awaiting its change gets the success', async () => {
  const world = await OfflineWorld.begin();
  const { id } = await world.save(generatorDraft('follow'));
  const followed = follow(world.page, id);
  await world.drain();
  expect(await followed).toMatchObject({ state: 'done' });
});

test('a form awaiting its change gets the refusal', async () => {
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
])('a form awaiting its change gets %s at once, with the server’s message', async (_what, answer, words) => {
  const world = await OfflineWorld.begin();
  const { id } = await world.save(generatorDraft('fault'));
  world.answerChanges(answer);
  const followed = follow(world.page, id);
  await world.drain();
  const entry = await followed;
  expect(answeredFault(entry)).toBe(words);
  expect(world.device.timers.size).toBe(0);
});

test('a change that waits without an answer has no message of the server', async () => {
  const world = await OfflineWorld.begin();
  const { id } = await world.save(generatorDraft('no-words'));
  world.answerChanges(cut);
  await world.drain();
  const followed = follow(world.page, id);
  await seen(world);
  world.device.pass(4_000);
  expect(answeredFault(await followed)).toBeUndefined();
});

test('returns the change as it is after four seconds without an answer', async () => {
  const world = await OfflineWorld.begin();
  const { id } = await world.save(generatorDraft('patience'));
  const followed = follow(world.page, id);
  await seen(world);
  world.device.pass(4_000);
  expect(await followed).toMatchObject({ state: 'pending' });
});

test('returns at the limit what a worker wrote without notifying the page', async () => {
  const world = await OfflineWorld.begin();
  const { id, sequence } = await world.save(generatorDraft('unheard'));
  const followed = follow(world.page, id);
  await seen(world);
  const { outbox } = world.page;
  // without Dexie, which would notify the page
  const beside = outbox.backendDB().transaction(outbox.entries.name, 'readwrite').objectStore(outbox.entries.name);
  beside.put({ ...(await done(beside.get(sequence))), state: 'done' });
  await new Promise((completed) => beside.transaction.addEventListener('complete', completed));
  world.device.pass(4_000);
  expect(await followed).toMatchObject({ state: 'done' });
});

test('returns the change as it is on a device too slow for a first look in time', async () => {
  const world = await OfflineWorld.begin();
  const { id } = await world.save(generatorDraft('slow'));
  const followed = follow(world.page, id);
  world.device.pass(4_000);
  expect(await followed).toMatchObject({ state: 'pending' });
});

test('does not wait for an answer that cannot come in time', async () => {
  const world = await OfflineWorld.begin();
  const since = world.page.now();
  const pause = { cause: 'unreachable', since, until: since + 60_000, failures: 6 } as const;
  await writeMeta(world.page.outbox, 'pause', pause);
  const { id } = await world.save(generatorDraft('hopeless'));
  expect(await follow(world.page, id)).toMatchObject({ state: 'pending' });
});

test('stops waiting when the link fails after the limit, even with a late timer', async () => {
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

test('waits for a change that is being sent, even if the queue pauses after it', async () => {
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

test('waits through a pause that ends in time', async () => {
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

test('stops waiting when the change is discarded', async () => {
  const world = await OfflineWorld.begin();
  const { id } = await world.save(generatorDraft('given-up'));
  const followed = follow(world.page, id);
  await seen(world);
  await discard(world.page, id);
  expect(await followed).toMatchObject({ id });
});

test('refuses to wait for an unknown change', async () => {
  const world = await OfflineWorld.begin();
  await expect(follow(world.page, 'unknown')).rejects.toThrow('not in the outbox');
});
