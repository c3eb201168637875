import { expect, test } from 'vitest';
import { ENTRY_SCHEMA, filesOf } from '../../src/domain/outbox/vocabulary.ts';
import { storeFiles } from '../../src/offline/storage/files.ts';
import { readMeta, writeMeta } from '../../src/offline/storage/meta.ts';
import { collectGarbage } from '../../src/offline/sender/garbage-collect.ts';
import { readUpload, writeUpload } from '../../src/offline/storage/uploads.ts';
import { generatorDraft } from './support/drafts.ts';
import { OfflineWorld } from './support/offline-world.ts';

const DAY = 24 * 60 * 60_000;

/** A waiting change with its two files, and a file that belongs to no change. */
async function withOrphan() {
  const world = await OfflineWorld.begin();
  const entry = await world.save(generatorDraft('tidied'));
  const reference = { id: 'orphan', field: 'images', name: 'orphan.gif', type: 'image/gif', size: 1, sha256: '' };
  await storeFiles(world.page.outbox, 'nobody', [{ reference, bytes: new ArrayBuffer(1) }]);
  expect(await world.page.outbox.files.count()).toBe(3);
  return { world, entry };
}

test('removes files that belong to no waiting change, and sends the others', async () => {
  const { world } = await withOrphan();
  const { outbox } = world.page;
  await collectGarbage(outbox, world.device.time);
  const left = await outbox.files.toArray();
  expect(left.map(({ name }) => name).toSorted()).toEqual(['tidied-0.gif', 'tidied.pdf']);
  expect(await readMeta(outbox, 'tidied')).toBe(world.device.time);
  await world.drain();
  expect(await world.generators('tidied')).toHaveLength(1);
});

test.each<[string, number, number]>([
  ['stays when the last collection was less than a day ago', DAY - 1, 3],
  ['goes when the last collection was a day ago', DAY, 2],
  ['goes when the clock was set back since the last collection', -2 * DAY, 2],
])('an orphaned file %s', async (_what, since, left) => {
  const { world } = await withOrphan();
  const { outbox } = world.page;
  await writeMeta(outbox, 'tidied', world.device.time - since);
  await collectGarbage(outbox, world.device.time);
  expect(await outbox.files.count()).toBe(left);
});

test('keeps a file’s progress and pause for as long as its change waits', async () => {
  const { world, entry } = await withOrphan();
  const { outbox } = world.page;
  const [file] = filesOf(entry);
  const known = { offset: 7, failures: 0, restarts: 0, triedAt: 1, halted: true } as const;
  const upload = { sha256: file?.sha256 ?? '', size: file?.size ?? 0, ...known };
  const done = { sha256: 'of a change that is done', size: 9 };
  for (const one of [upload, { ...done, ...known }]) await writeUpload(outbox, world.me.id, one);
  await collectGarbage(outbox, world.device.time);
  expect(await readUpload(outbox, world.me.id, upload)).toEqual(upload);
  expect(await readUpload(outbox, world.me.id, done)).toMatchObject({ offset: 0 });
});

test('keeps every file while a change of a newer version waits, since only that version knows its files', async () => {
  const { world, entry } = await withOrphan();
  const { outbox } = world.page;
  await outbox.entries.update(entry.sequence, { schema: ENTRY_SCHEMA + 1 });
  await collectGarbage(outbox, world.device.time);
  expect(await outbox.files.count()).toBe(3);
});

test('removes receipts after 30 days', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('receipt'));
  await world.drain();
  const { outbox } = world.page;
  await collectGarbage(outbox, world.device.time + 29 * DAY);
  expect(await world.done()).toHaveLength(1);
  await collectGarbage(outbox, world.device.time + 31 * DAY);
  expect(await world.done()).toEqual([]);
});

test('keeps a receipt for 30 days from its own time, however long its change had waited', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('waited'));
  await world.linkReturns(40 * DAY);
  await collectGarbage(world.page.outbox, world.device.time + 2 * DAY);
  expect(await world.done()).toMatchObject([{ state: 'done' }]);
});
