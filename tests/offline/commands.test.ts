import { describe, expect, test } from 'vitest';
import { ENTRY_SCHEMA, filesOf, type OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { adopt, dropFile, retry, sendNow, undo } from '../../src/offline/outbox/entry-commands.ts';
import { enqueue } from '../../src/offline/outbox/enqueue.ts';
import { exportQueue, importQueue } from '../../src/offline/outbox/export.ts';
import { isWorkOverdue } from '../../src/offline/sender/overdue.ts';
import { forgetSession } from '../../src/offline/storage/session.ts';
import { Device } from './support/device.ts';
import { editOf, generatorDraft, generatorValues, photo } from './support/drafts.ts';
import { cut, json, OfflineWorld } from './support/offline-world.ts';

/** The entry as it is stored. */
async function stored({ page }: OfflineWorld, { sequence }: OutboxEntry): Promise<OutboxEntry | undefined> {
  return page.outbox.entries.get(sequence);
}

describe('“Send now”', () => {
  test('keeps the time in which a deletion can be undone', async () => {
    const world = await OfflineWorld.begin('contract-only');
    await world.save(generatorDraft('undo'));
    await world.drain();
    const deletion = await world.save({ op: 'delete', resource: 'generators', recordId: '1' }, { undoFor: 6_000 });
    await sendNow(world.page);
    await world.drain();
    expect(await undo(world.page, deletion.id)).toBe(true);
    expect(await world.generators('undo')).toHaveLength(1);
  });

  test('leaves a change of a newer version of the app unchanged', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const entry = await world.save(generatorDraft('newer'));
    const newer = { schema: ENTRY_SCHEMA + 1, attempts: 3, notBefore: world.device.time + 60_000 };
    await world.page.outbox.entries.update(entry.sequence, newer);
    await sendNow(world.page);
    expect(await stored(world, entry)).toMatchObject(newer);
  });
});

test('only a create that needs the administrator can adopt a row of the server', async () => {
  const world = await OfflineWorld.begin('contract-only');
  const waits = await world.save(generatorDraft('waits'));
  await adopt(world.page, waits.id, 7);
  expect(await stored(world, waits)).toEqual(waits);
  world.answerChanges(json(422, { message: 'No.', errors: {} }));
  await world.drain();
  await world.save(editOf(waits, { origin: 'Spain' }));
  const [, edit] = await world.waiting();
  if (edit !== undefined) await adopt(world.page, edit.id, 7);
  expect(await world.waiting()).toMatchObject([{ id: waits.id }, { id: edit?.id, state: 'pending' }]);
});

test('a confirmed change is not retried', async () => {
  const world = await OfflineWorld.begin('contract-only');
  const sent = await world.save(generatorDraft('done'));
  await world.drain();
  await retry(world.page, sent.id);
  expect(await world.waiting()).toEqual([]);
  expect(await stored(world, sent)).toMatchObject({ state: 'done' });
});

test('a retried change is sent at once, although the queue waits for the link', async () => {
  const world = await OfflineWorld.begin();
  const base = { version: '1', values: {} };
  const entry = await world.save({ op: 'delete', resource: 'generators', recordId: '99999', base });
  world.onChanges(async () => cut());
  await world.drain();
  world.goodLink();
  world.sent.length = 0;
  await world.drain();
  expect(world.sent).toEqual([]);
  await retry(world.page, entry.id);
  await world.drain();
  expect(world.sent).toHaveLength(1);
  expect(await world.waiting()).toEqual([]);
});

test('a file cannot be removed from a change that may be delivered with it', async () => {
  const world = await OfflineWorld.begin('contract-only');
  const entry = await world.save(generatorDraft('tried'));
  world.onChanges(async () => cut());
  await world.drain();
  const [tried] = await world.waiting();
  const files = tried === undefined ? [] : filesOf(tried);
  expect(await dropFile(world.page, entry.id, files[1]?.id ?? '')).toBe(false);
  expect(await world.waiting()).toEqual([tried]);
  expect(await world.page.outbox.files.count()).toBe(files.length);
});

test('two administrators who delete the same record each have their own change', async () => {
  const world = await OfflineWorld.begin('contract-only');
  const deletion = { op: 'delete', resource: 'generators', recordId: '5' } as const;
  const mine = await world.save(deletion);
  const theirs = await enqueue(world.page, deletion, { administrator: 'other', title: 'Title' });
  expect(theirs).toMatchObject({ administrator: 'other', state: 'pending' });
  expect(theirs.id).not.toBe(mine.id);
  expect(await stored(world, mine)).toEqual(mine);
  expect((await world.save(deletion)).id).toBe(mine.id);
});

test('a confirmed change does not affect a record of another kind with the same id', async () => {
  const world = await OfflineWorld.begin('contract-only');
  await world.save(generatorDraft('one'));
  await world.drain();
  const about = { op: 'update', recordId: '1' } as const;
  const shown = { values: generatorValues('one'), imageIds: [] };
  const edited = { ...shown.values, origin: 'Spain' };
  await world.save({ ...about, resource: 'generators', values: edited, files: [photo('more')], base: shown });
  const base = { version: '1', values: { name: 'Acme', link: 'https://example.com' }, imageIds: [] };
  const values = { ...base.values, name: 'Acme Ltd' };
  const other = await world.save({ ...about, resource: 'partners', values, files: [], base });
  await world.page.outbox.entries.update(other.sequence, { notBefore: world.device.time + 60_000 });
  await world.drain();
  expect(await world.waiting()).toEqual([expect.objectContaining({ id: other.id, change: other.change })]);
});

test('an imported change goes to its own record when several creates were confirmed', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('first-of-two'));
  await world.drain();
  const second = await world.save(generatorDraft('second-of-two'));
  world.onChanges(async () => cut());
  await world.drain();
  await world.save(editOf(second, { origin: 'Spain' }));
  world.goodLink();
  const file = await exportQueue(world.page, world.me.id);
  await world.linkReturns();
  const later = await exportQueue(world.page, world.me.id);
  const other = new Device(world.backend).environment();
  await importQueue(other, later);
  await importQueue(other, file);
  const [row] = await world.generators('second-of-two');
  const edits = (await other.outbox.entries.toArray()).filter(({ change }) => change.op === 'update');
  expect(edits.map(({ change }) => change.recordId)).toEqual([String(row?.id)]);
});

test('nothing is overdue while nobody is signed in', async () => {
  const world = await OfflineWorld.begin('contract-only');
  await world.save(generatorDraft('nobody'));
  await forgetSession(world.page);
  world.device.pass(60_000);
  expect(await isWorkOverdue(world.page, 60_000)).toBe(false);
});
