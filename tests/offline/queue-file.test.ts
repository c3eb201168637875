import { expect, test } from 'vitest';
import { discard, retry, serverIdOf, undo } from '../../src/offline/outbox/entry-commands.ts';
import { ENTRY_SCHEMA, filesOf, type OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { writeList } from '../../src/offline/cache/cache.ts';
import { drain } from '../../src/offline/sender/drain.ts';
import type { Environment } from '../../src/offline/storage/environment.ts';
import { QueueFileError, StorageFullError } from '../../src/offline/storage/errors.ts';
import { exportQueue, importQueue } from '../../src/offline/outbox/export.ts';
import { pendingEntries, receipts } from '../../src/offline/outbox/queries.ts';
import { repair } from '../../src/offline/outbox/repair.ts';
import { asVersion3 } from '../domain/outbox/old-shapes.ts';
import type { BackendKind } from './support/backends.ts';
import { Device } from './support/device.ts';
import { editOf, generatorDraft, generatorValues, hashOf, photo } from './support/drafts.ts';
import { cut, json, OfflineWorld } from './support/offline-world.ts';

const BOTH: readonly BackendKind[] = ['own', 'contract-only'];

/** A second, empty tablet of the same administrator. */
async function secondTablet(world: OfflineWorld): Promise<Environment> {
  const device = new Device(world.backend);
  const page = device.environment();
  await device.signIn(page);
  return page;
}

interface Stored {
  readonly catalog: string;
  readonly origin: string;
  readonly images: readonly { readonly image: string }[];
}

/** The only record with this mark. */
async function only(world: OfflineWorld, mark: string): Promise<Stored> {
  const rows = await world.generators(mark);
  expect(rows).toHaveLength(1);
  return world.ask(`/api/get-single-generator/${rows[0]?.id}`);
}

test('a queue is moved to another tablet with every byte, and sent once from there', async () => {
  const world = await OfflineWorld.begin();
  const draft = generatorDraft('carried', 2);
  await world.save(draft);
  const file = await exportQueue(world.page, world.me.id);
  const other = await secondTablet(world);
  expect(await importQueue(other, file)).toEqual({ added: 1, known: 0 });
  await drain(other);
  await world.drain();
  const record = await only(world, 'carried');
  const stored = [record.catalog, ...record.images.map(({ image }) => image)];
  const hashes = await Promise.all(stored.map((name) => world.backend.receivedSha256(name)));
  expect(hashes).toEqual(await Promise.all(draft.files.map(hashOf)));
});

test('another tablet gets the local ids of the records created here', async () => {
  const world = await OfflineWorld.begin();
  const created = await world.save(generatorDraft('known-there'));
  await world.drain();
  const [row] = await world.generators('known-there');
  const other = await secondTablet(world);
  await importQueue(other, await exportQueue(world.page, world.me.id));
  const { change } = created;
  expect(change.op === 'create' && (await serverIdOf(other, 'generators', change.recordId))).toBe(row?.id);
});

test('importing a queue never duplicates what waits here or was sent from here', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('sent'));
  const file = await exportQueue(world.page, world.me.id);
  expect(await importQueue(world.page, file)).toEqual({ added: 0, known: 1 });
  await world.drain();
  expect(await importQueue(world.page, file)).toEqual({ added: 0, known: 1 });
  expect(await world.waiting()).toEqual([]);
});

test.each(BOTH)('a change that the first tablet has sent is not sent again from the second (%s)', async (kind) => {
  const world = await OfflineWorld.begin(kind);
  await world.save(generatorDraft('stock', 2));
  const file = await exportQueue(world.page, world.me.id);
  await world.drain();
  const other = await secondTablet(world);
  await importQueue(other, file);
  await drain(other);
  expect((await only(world, 'stock')).images).toHaveLength(2);
  expect(await receipts(other)).toHaveLength(1);
});

test.each(BOTH)('a change that the second tablet has sent is not sent again from the first (%s)', async (kind) => {
  const world = await OfflineWorld.begin(kind);
  await world.save(generatorDraft('back', 2));
  const file = await exportQueue(world.page, world.me.id);
  const other = await secondTablet(world);
  await importQueue(other, file);
  await drain(other);
  await world.drain();
  expect((await only(world, 'back')).images).toHaveLength(2);
  expect(await world.waiting()).toEqual([]);
});

test.each(BOTH)('an edit made after the export does not create the record twice (%s)', async (kind) => {
  const world = await OfflineWorld.begin(kind);
  const created = await world.save(generatorDraft('later'));
  const file = await exportQueue(world.page, world.me.id);
  await world.save(editOf(created, { origin: 'Spain' }, [photo('later-added')]));
  const other = await secondTablet(world);
  await importQueue(other, file);
  await drain(other);
  await world.drain();
  const record = await only(world, 'later');
  expect(record).toMatchObject({ origin: 'Spain' });
  expect(record.images).toHaveLength(2);
});

test('an exported edit adds no image twice when its answer is lost', async () => {
  const world = await OfflineWorld.begin('contract-only');
  const created = await world.save(generatorDraft('copied'));
  await world.drain();
  await world.save(editOf(created, { origin: 'Spain' }, [photo('copied-added')]));
  await exportQueue(world.page, world.me.id);
  world.answersAreLost();
  await world.drain();
  await world.linkReturns();
  expect(await world.waiting()).toEqual([]);
  expect((await only(world, 'copied')).images).toHaveLength(2);
});

test('an exported edit that merges with someone else’s keeps its key, which its copy has too', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('same-key'));
  await world.drain();
  const [row] = await world.generators('same-key');
  const path = `/api/get-single-generator/${row?.id}`;
  const { version } = await world.ask<{ version: string }>(path);
  const { values } = generatorDraft('same-key');
  const base = { version, values, imageIds: [] };
  const about = { op: 'update', resource: 'generators', recordId: String(row?.id), files: [], base } as const;
  const { idempotencyKey } = await world.save({ ...about, values: { ...values, origin: 'Spain' } });
  await exportQueue(world.page, world.me.id);
  await world.elsewhere(path, { ...values, capacity: '200 kVA' });
  world.sent.length = 0;
  await world.drain();
  expect(world.sent.map(({ key }) => key)).toEqual([idempotencyKey, idempotencyKey]);
  expect(await world.ask(path)).toMatchObject({ origin: 'Spain', capacity: '200 kVA' });
});

test('the files of a known change are not stored again', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('known', 2));
  const other = await world.save(generatorDraft('taken', 1));
  const file = await exportQueue(world.page, world.me.id);
  await discard(world.page, other.id);
  await world.drain();
  expect(await world.page.outbox.files.toArray()).toEqual([]);
  expect(await importQueue(world.page, file)).toEqual({ added: 1, known: 1 });
  const stored = await world.page.outbox.files.toArray();
  expect(stored.map(({ id }) => id)).toEqual(filesOf(other).map(({ id }) => id));
});

test('a record that was deleted after the export does not come back', async () => {
  const world = await OfflineWorld.begin();
  const { change } = await world.save(generatorDraft('gone'));
  const file = await exportQueue(world.page, world.me.id);
  if (change.op !== 'create') throw new Error('It is a new record.');
  await world.save({ op: 'delete', resource: 'generators', recordId: change.recordId });
  await world.drain();
  const other = await secondTablet(world);
  await importQueue(other, file);
  await drain(other);
  expect(await world.generators('gone')).toEqual([]);
  expect(await world.waiting()).toEqual([]);
});

test('a deletion can still be undone after an export', async () => {
  const world = await OfflineWorld.begin();
  const { id } = await world.save({ op: 'delete', resource: 'generators', recordId: '1' });
  await exportQueue(world.page, world.me.id);
  expect(await undo(world.page, id)).toBe(true);
  expect(await world.waiting()).toEqual([]);
});

test('a refused change that is retried on both tablets is executed once', async () => {
  const world = await OfflineWorld.begin();
  const { id } = await world.save(generatorDraft('twice'));
  world.answerChanges(json(403, { message: 'Forbidden' }));
  await world.drain();
  const file = await exportQueue(world.page, world.me.id);
  const other = await secondTablet(world);
  await importQueue(other, file);
  for (const page of [world.page, other]) {
    await retry(page, id);
    await drain(page);
    expect(await pendingEntries(page)).toEqual([]);
  }
  await only(world, 'twice');
});

test('a refused change that is repaired on both tablets exists once', async () => {
  const world = await OfflineWorld.begin();
  const draft = generatorDraft('mended', 2);
  const { id } = await world.save({ ...draft, values: { ...draft.values, capacity: '' } });
  await world.drain();
  const file = await exportQueue(world.page, world.me.id);
  const other = await secondTablet(world);
  await importQueue(other, file);
  const about = { administrator: world.me.id, title: 'Mended' };
  for (const page of [world.page, other]) {
    await repair(page, id, { ...draft, values: generatorValues('mended') }, about);
    await drain(page);
    expect(await pendingEntries(page)).toEqual([]);
  }
  expect((await only(world, 'mended')).images).toHaveLength(2);
});

test('an imported change that was discarded here gets the server id of its record', async () => {
  const world = await OfflineWorld.begin();
  const created = await world.save(generatorDraft('regret'));
  world.onChanges(async () => cut());
  await world.drain();
  const edit = await world.save(editOf(created, { origin: 'Spain' }));
  const file = await exportQueue(world.page, world.me.id);
  await discard(world.page, edit.id);
  await world.linkReturns();
  expect(await only(world, 'regret')).toMatchObject({ origin: 'UK' });
  expect(await importQueue(world.page, file)).toEqual({ added: 1, known: 1 });
  await world.drain();
  expect(await only(world, 'regret')).toMatchObject({ origin: 'Spain' });
});

test('a change that was repaired since the export is not imported again', async () => {
  const world = await OfflineWorld.begin();
  const draft = generatorDraft('parts', 22);
  const { id } = await world.save({ ...draft, values: { ...draft.values, capacity: '' } });
  await world.drain();
  const file = await exportQueue(world.page, world.me.id);
  await repair(
    world.page,
    id,
    { ...draft, values: generatorValues('parts') },
    { administrator: world.me.id, title: '' },
  );
  expect(await importQueue(world.page, file)).toEqual({ added: 0, known: 1 });
  await world.drain();
  expect((await only(world, 'parts')).images).toHaveLength(22);
});

test('changes that follow one another stay in order', async () => {
  const world = await OfflineWorld.begin();
  const created = await world.save(generatorDraft('chain'));
  world.onChanges(async () => cut());
  await world.drain();
  await world.save(editOf(created, { origin: 'Spain' }));
  const file = await exportQueue(world.page, world.me.id);
  const other = await secondTablet(world);
  expect(await importQueue(other, file)).toEqual({ added: 2, known: 0 });
  await drain(other);
  expect(await only(world, 'chain')).toMatchObject({ origin: 'Spain' });
});

test('a file lost on the old tablet does not hold back the other changes', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('lost'));
  await world.save(generatorDraft('whole'));
  const [first] = await world.page.outbox.files.toArray();
  await world.page.outbox.files.delete(first?.id ?? '');
  const other = await secondTablet(world);
  const file = await exportQueue(world.page, world.me.id);
  await importQueue(other, file);
  await drain(other);
  const [left, ...others] = await pendingEntries(other);
  expect(others).toEqual([]);
  expect(left).toMatchObject({ state: 'attention', reason: { code: 'file-lost' } });
  expect((await world.generators('lost')).length + (await world.generators('whole')).length).toBe(1);
});

test('an export leaves a change of a newer version of the app unchanged', async () => {
  const world = await OfflineWorld.begin();
  const newer = await world.save(generatorDraft('newer'));
  await world.page.outbox.entries.update(newer.sequence, { schema: 99 } as never);
  const before = await world.waiting();
  await exportQueue(world.page, world.me.id);
  expect(await world.waiting()).toEqual(before);
});

test.each([
  ['another type of file', async () => new Blob(['%PDF-1.4\n']), 'not a queue file'],
  ['a truncated file', async (file: Blob) => file.slice(0, 40), 'cut off'],
  ['a file with an unreadable list', async () => new Blob(['voltdesk-queue 1\n', '{"entries":[\n']), 'damaged'],
  ['a file with bytes that do not match', async (file: Blob) => new Blob([file.slice(0, -3), 'bad']), 'damaged'],
])('%s is refused as a queue file, and nothing of it is stored', async (_what, spoil, message) => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('spoiled'));
  const file = await exportQueue(world.page, world.me.id);
  const page = new Device(world.backend).environment();
  const refused = importQueue(page, await spoil(file));
  await expect(refused).rejects.toThrow(QueueFileError);
  await expect(refused).rejects.toThrow(message);
  expect(await page.outbox.entries.count()).toBe(0);
});

test('a queue file of an older version is upcast on import, and sent', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('older'));
  const file = await exportQueue(world.page, world.me.id);
  const [format, contents = ''] = (await file.text()).split('\n');
  const { entries, ...rest } = JSON.parse(contents) as { readonly entries: readonly OutboxEntry[] };
  const older = JSON.stringify({ ...rest, entries: entries.map(asVersion3) });
  const bytes = file.slice(new Blob([`${format}\n${contents}\n`]).size);
  const other = await secondTablet(world);
  expect(await importQueue(other, new Blob([`${format}\n${older}\n`, bytes]))).toEqual({ added: 1, known: 0 });
  expect(await pendingEntries(other)).toMatchObject([{ attempts: 1, delivery: ['export', 'attempt'] }]);
  await drain(other);
  await only(world, 'older');
});

test('a queue file of the next version of the app is refused', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('next-version', 0));
  const text = await (await exportQueue(world.page, world.me.id)).text();
  const page = new Device(world.backend).environment();
  const newer = new Blob([text.replace(`"schema":${ENTRY_SCHEMA}`, `"schema":${ENTRY_SCHEMA + 1}`)]);
  await expect(importQueue(page, newer)).rejects.toThrow('written by a newer version');
});

test('an import clears the cache for space, and is refused with the sizes when that is not enough', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('room'));
  const file = await exportQueue(world.page, world.me.id);
  let usage = 10_000_000;
  const room = { estimate: async () => ({ usage, quota: 10_000_000 }) };
  const page = new Device(world.backend).environment({ room });
  await writeList('partners', { rows: [], fetchedAt: 1 }, page.cache);
  await expect(importQueue(page, file)).rejects.toThrow(StorageFullError);
  expect(await page.cache.values.count()).toBe(0);
  usage = 0;
  expect(await importQueue(page, file)).toEqual({ added: 1, known: 0 });
});
