import { IDBCursor } from 'fake-indexeddb';
import { expect, test, vi } from 'vitest';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { confirmedChanges, identities, pendingEntries, queueState } from '../../src/offline/outbox/queries.ts';
import { enqueue } from '../../src/offline/outbox/enqueue.ts';
import { exportQueue, importQueue } from '../../src/offline/outbox/export.ts';
import { identityKey } from '../../src/domain/outbox/optimistic-view.ts';
import { isWorkOverdue } from '../../src/offline/sender/overdue.ts';
import { writeMeta } from '../../src/offline/storage/meta.ts';
import { Device } from './support/device.ts';
import { editOf, generatorDraft } from './support/drafts.ts';
import { json, OfflineWorld } from './support/offline-world.ts';

/** A refused change and a waiting one of the first administrator; then the second one signs in and saves. */
async function sharedTablet() {
  const world = await OfflineWorld.begin('contract-only');
  await world.save(generatorDraft('refused'));
  world.answerChanges(json(422, { message: 'No.', errors: {} }));
  await world.drain();
  await world.save(generatorDraft('waits'));
  const first = world.me;
  world.me = await world.device.signIn(world.page, world.backend.accounts[1]);
  await world.save(generatorDraft('mine'));
  return { world, first };
}

test('an edit merged into a waiting change updates its title', async () => {
  const world = await OfflineWorld.begin('contract-only');
  const created = await world.save(generatorDraft('named'));
  const about = { administrator: world.me.id, title: 'Renamed' };
  await enqueue(world.page, editOf(created, { brand: 'Renamed' }), about);
  expect(await world.waiting()).toMatchObject([{ id: created.id, title: 'Renamed' }]);
});

test('counts the signed-in administrator’s changes by state, and those of others only in total', async () => {
  const { world } = await sharedTablet();
  expect(await queueState(world.page)).toMatchObject({
    waiting: 1,
    needAttention: 0,
    otherAdministratorsWaiting: 2,
    signedInAs: world.me.id,
  });
});

test('counts the changes that the server keeps failing at', async () => {
  const world = await OfflineWorld.begin('contract-only');
  expect(await queueState(world.page)).not.toHaveProperty('failing');
  await world.save(generatorDraft('fails'));
  world.answerChanges(json(500, { message: 'Server Error' }));
  await world.drain();
  expect(await queueState(world.page)).toMatchObject({ waiting: 1, failing: 1 });
});

test('lists waiting changes in the order they were saved, and counts those that need attention', async () => {
  const world = await OfflineWorld.begin('contract-only');
  const marks = ['waits', 'refused', 'waits too', 'in conflict'];
  const saved = [];
  for (const mark of marks) saved.push(await world.save(generatorDraft(mark)));
  const reason = { code: 'refused', message: 'No.' } as const;
  const refused = saved
    .filter((_, at) => at % 2 === 1)
    .map((entry) => ({ ...entry, state: 'attention', reason }) as const);
  await world.page.outbox.entries.bulkPut(refused as OutboxEntry[]);
  expect((await world.waiting()).map(({ id }) => id)).toEqual(saved.map(({ id }) => id));
  expect(await queueState(world.page)).toMatchObject({ waiting: 4, needAttention: 2, forWifi: 0 });
});

test('reports a pause only while a change of the signed-in administrator waits for its end', async () => {
  const world = await OfflineWorld.begin('contract-only');
  const pause = { cause: 'unreachable', since: world.device.time, failures: 1 } as const;
  const isTold = async () => (await queueState(world.page)).pause !== undefined;
  const saved = await world.save(generatorDraft('waits'));
  await writeMeta(world.page.outbox, 'pause', pause);
  expect((await queueState(world.page)).pause).toEqual(pause);
  const refused = { ...saved, state: 'attention', reason: { code: 'refused', message: 'No.' } } as const;
  await world.page.outbox.entries.put(refused as OutboxEntry);
  expect(await isTold()).toBe(false);
  await world.save(generatorDraft('waits too'));
  expect(await isTold()).toBe(true);
  world.me = await world.device.signIn(world.page, world.backend.accounts[1]);
  await writeMeta(world.page.outbox, 'pause', pause);
  expect(await isTold()).toBe(false);
});

test('reports the change that is being sent, and the time of the last attempt', async () => {
  const world = await OfflineWorld.begin('contract-only');
  const before = await queueState(world.page);
  expect([before.sendingId, before.lastAttemptAt]).toEqual([undefined, undefined]);
  const { id } = await world.save(generatorDraft('on-its-way'));
  const { drained, letGo } = await world.drainHalfWay();
  expect(await queueState(world.page)).toMatchObject({
    sendingId: id,
    lastAttemptAt: world.device.time,
    needAttention: 0,
  });
  letGo();
  await drained;
  expect((await queueState(world.page)).sendingId).toBeUndefined();
});

test('reports only the number of another administrator’s changes', async () => {
  const world = await OfflineWorld.begin('contract-only');
  await world.save(generatorDraft('large', 2));
  const { drained, letGo } = await world.drainHalfWay();
  const bytes = (await queueState(world.page)).progress.total;
  expect(bytes).toBeGreaterThan(0);
  world.me = await world.device.signIn(world.page, world.backend.accounts[1]);
  const told = await queueState(world.page);
  expect(told).toMatchObject({ otherAdministratorsWaiting: 1, waiting: 0, progress: { total: 0 } });
  expect(told).not.toHaveProperty('sendingId');
  letGo();
  await drained;
});

test('lists confirmed changes in the order they were saved, whenever they arrived', async () => {
  const world = await OfflineWorld.begin('contract-only');
  const saved = [];
  for (const mark of ['one', 'two', 'three']) saved.push(await world.save(generatorDraft(mark)));
  const done = saved.map((entry, at) => ({ ...entry, state: 'done', receipt: { at: 100 - at, message: '' } }) as const);
  const { entries } = world.page.outbox;
  await entries.clear();
  for (const entry of done.toReversed()) await entries.put(entry as OutboxEntry);
  expect((await confirmedChanges(world.page)).map(({ id }) => id)).toEqual(saved.map(({ id }) => id));
});

test('maps a created record’s local id to its server id once the server has it', async () => {
  const world = await OfflineWorld.begin();
  const { change } = await world.save(generatorDraft('identified'));
  expect(await identities(world.page)).toEqual(new Map());
  await world.drain();
  const [row] = await world.generators('identified');
  expect([...(await identities(world.page))]).toEqual([[identityKey('generators', change.recordId), row?.id]]);
});

test('lists waiting changes and receipts only for their own administrator, confirmed changes for all', async () => {
  const { world, first } = await sharedTablet();
  world.goodLink();
  const own = await world.waiting();
  expect(own.map(({ administrator }) => administrator)).toEqual([world.me.id]);
  await world.drain();
  world.me = await world.device.signIn(world.page);
  expect(world.me.id).toBe(first.id);
  await world.drain();
  expect((await world.done()).map(({ administrator }) => administrator)).toEqual([first.id]);
  expect(await confirmedChanges(world.page)).toHaveLength(2);
});

test('a queue file holds only the changes of its own administrator', async () => {
  const { world, first } = await sharedTablet();
  const mine = await exportQueue(world.page, world.me.id);
  const theirs = await exportQueue(world.page, first.id);
  const other = new Device(world.backend).environment();
  expect(await importQueue(other, mine)).toEqual({ added: 1, known: 0 });
  expect(await importQueue(other, theirs)).toEqual({ added: 2, known: 0 });
  const administrators = (await other.outbox.entries.toArray()).map(({ administrator }) => administrator);
  expect(administrators).toEqual([world.me.id, first.id, first.id]);
});

test('exporting one administrator’s queue does not affect another’s changes', async () => {
  const { world, first } = await sharedTablet();
  await exportQueue(world.page, world.me.id);
  const entries = await world.page.outbox.entries.toArray();
  const exported = entries.filter(({ delivery }) => delivery.includes('export'));
  expect(exported.map(({ administrator }) => administrator)).toEqual([world.me.id]);
  expect(entries.filter(({ administrator }) => administrator === first.id)).toHaveLength(2);
});

test('lists receipts with the newest first, and those confirmed together in the order of the queue', async () => {
  const world = await OfflineWorld.begin('contract-only');
  for (const mark of ['one', 'two', 'three']) await world.save(generatorDraft(mark));
  await world.drain();
  world.device.pass(60_000);
  await world.save(generatorDraft('four'));
  await world.drain();
  const brands = (entries: Awaited<ReturnType<typeof world.done>>) =>
    entries.map(({ change }) => ('values' in change ? change.values['brand'] : ''));
  expect(brands(await world.done())).toEqual(['Brand four', 'Brand three', 'Brand two', 'Brand one']);
  expect(brands(await confirmedChanges(world.page))).toEqual(['Brand one', 'Brand two', 'Brand three', 'Brand four']);
});

test('two administrators who delete the same record on one tablet each have their own deletion', async () => {
  const world = await OfflineWorld.begin('contract-only');
  const deletion = { op: 'delete', resource: 'generators', recordId: '5' } as const;
  const first = await world.save(deletion);
  world.me = await world.device.signIn(world.page, world.backend.accounts[1]);
  const second = await world.save(deletion);
  expect(second).toMatchObject({ administrator: world.me.id });
  expect(second.id).not.toBe(first.id);
});

test('a new change is not overdue, however long ago the last one was sent', async () => {
  const world = await OfflineWorld.begin('contract-only');
  await world.save(generatorDraft('first'));
  await world.drain();
  world.device.pass(3_600_000);
  await world.save(generatorDraft('second'));
  expect(await isWorkOverdue(world.page, 60_000)).toBe(false);
  world.device.pass(59_999);
  expect(await isWorkOverdue(world.page, 60_000)).toBe(false);
  world.device.pass(1);
  expect(await isWorkOverdue(world.page, 60_000)).toBe(true);
});

test('reads waiting changes without stepping over each receipt', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('sent'));
  await world.drain();
  const [{ sequence: _, ...receipt } = expect.fail('no receipt')] = await world.page.outbox.entries.toArray();
  const copies = Array.from({ length: 40 }, (_none, index) => ({ ...receipt, id: `receipt-${index}` }));
  await world.page.outbox.entries.bulkAdd(copies);
  const last = await world.save(generatorDraft('last'));
  const steps = vi.spyOn(IDBCursor.prototype, 'continue');
  const waiting = await pendingEntries(world.page);
  const { waiting: count } = await queueState(world.page);
  const taken = steps.mock.calls.length;
  steps.mockRestore();
  expect(taken).toBe(0);
  expect(waiting).toMatchObject([{ id: last.id }]);
  expect(count).toBe(1);
});
