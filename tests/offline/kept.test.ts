import { onTestFinished, expect, test } from 'vitest';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { isValue } from '../../src/domain/fields.ts';
import { type ServerRecord, textOf } from '../../src/domain/resource.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { hasBackups } from '../../src/offline/kept/kept.ts';
import { receipts } from '../../src/offline/outbox/queries.ts';
import { collectGarbage } from '../../src/offline/sender/garbage-collect.ts';
import { mostKept, trimKept } from '../../src/offline/storage/kept-files.ts';
import { readMeta } from '../../src/offline/storage/meta.ts';
import type { Environment } from '../../src/offline/storage/environment.ts';
import { RestorableServer } from '../harness/restorable-server.ts';
import { generatorDraft, heavyDraft } from './support/drafts.ts';
import { KeepingDevice } from './support/keeping-device.ts';

async function begin(overrides: Partial<Environment> = {}) {
  const server = await RestorableServer.open();
  onTestFinished(() => server.close());
  const tablet = new KeepingDevice(server, overrides);
  await tablet.signIn(1);
  return { server, tablet };
}

/** What an edit form of a record saves. */
async function edit(tablet: KeepingDevice, id: number | undefined, values: Record<string, string>) {
  const base = baseOf(await tablet.ask<ServerRecord>(`${generators.endpoints.single}/${id}`));
  const all = { ...base.values, ...values };
  return tablet.make({ op: 'update', resource: 'generators', recordId: String(id), values: all, files: [], base });
}

function baseOf(record: ServerRecord) {
  const texts = generators.fields.filter(isValue).map(({ name }) => [name, textOf(record[name])] as const);
  const { images = [], version } = record;
  return { values: Object.fromEntries(texts), imageIds: images.map(({ id }) => id), version: textOf(version) };
}

const idOf = ({ receipt }: OutboxEntry) => receipt?.serverId;
const list = (tablet: KeepingDevice) => tablet.ask<ServerRecord[]>(`${generators.endpoints.list}?full=1`);
const DAY = 24 * 60 * 60_000;

test('keeps a confirmed change with its files until it is in a backup', async () => {
  const { server, tablet } = await begin();
  await tablet.make(generatorDraft('kept'));
  expect(await tablet.compare()).toBe(0);
  expect([await tablet.files(), (await tablet.kept()).count]).toEqual([2, 1]);
  await server.backUp();
  await server.restart();
  expect(await tablet.compare()).toBe(0);
  expect([await tablet.files(), (await tablet.kept()).count]).toEqual([0, 0]);
  expect(await tablet.page.outbox.entries.toArray()).toMatchObject([{ state: 'done' }]);
});

test('knows whether the server has ever made a backup', async () => {
  const { server, tablet } = await begin();
  const known = () => hasBackups(tablet.page, String(tablet.user));
  expect(await known()).toBe(false);
  await tablet.compare();
  expect(await known()).toBe(false);
  await server.backUp();
  await server.restart();
  await tablet.compare();
  expect(await known()).toBe(true);
});

test('keeps it longer than a receipt, and its files through the daily tidying', async () => {
  const { tablet } = await begin();
  await tablet.make(generatorDraft('kept'));
  expect(await receipts(tablet.page)).toHaveLength(1);
  tablet.device.time += 40 * DAY;
  await collectGarbage(tablet.page.outbox, tablet.device.time);
  expect([await tablet.files(), (await tablet.kept()).count]).toEqual([2, 1]);
  // its receipt is shown for as long as any other
  expect(await receipts(tablet.page)).toEqual([]);
});

test('sends what a restored server has forgotten again, in order, each once, and nothing else', async () => {
  const { server, tablet } = await begin();
  await tablet.make(generatorDraft('before'));
  const backup = await server.backUp();
  const made = await tablet.make(generatorDraft('lost', 2));
  await edit(tablet, idOf(made), { brand: 'Edited' });
  await server.restore(backup);
  await tablet.signIn(1);
  expect(await tablet.compare()).toBe(2);
  expect((await tablet.kept()).forgotten.map(({ change }) => change.op)).toEqual(['create', 'update']);
  expect(await tablet.sendAgain()).toBe(2);
  expect(await tablet.waiting()).toEqual([]);
  const rows = await list(tablet);
  expect(rows.map(({ brand }) => brand)).toEqual(['Brand before', 'Edited']);
  expect(rows[1]).toMatchObject({ id: idOf(made) });
  expect(rows[1]?.images).toHaveLength(2);
  await server.restart();
  expect([await tablet.compare(), await tablet.sendAgain()]).toEqual([0, 0]);
  // the same backup is restored once more
  await server.restore(backup);
  await tablet.signIn(1);
  expect([await tablet.compare(), await tablet.sendAgain()]).toEqual([2, 2]);
  expect((await list(tablet)).map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
});

test('does not double what a newer backup of the first life knows', async () => {
  const { server, tablet } = await begin();
  const older = await server.backUp();
  await tablet.make(generatorDraft('lost'));
  const newer = await server.backUp();
  await server.restore(older);
  await tablet.signIn(1);
  expect([await tablet.compare(), await tablet.sendAgain()]).toEqual([1, 1]);
  await server.restore(newer);
  await tablet.signIn(1);
  expect(await tablet.compare()).toBe(0);
  expect(await list(tablet)).toHaveLength(1);
});

test('brings back nothing that was deleted since', async () => {
  const { server, tablet } = await begin();
  const old = await tablet.make(generatorDraft('old'));
  const kept = await tablet.make(generatorDraft('photos', 2));
  const backup = await server.backUp();
  const made = await tablet.make(generatorDraft('made'));
  await tablet.make({ op: 'delete', resource: 'generators', recordId: String(idOf(made)) });
  await tablet.make({ op: 'delete', resource: 'generators', recordId: String(idOf(old)) });
  const [image] = (await list(tablet)).find(({ id }) => id === idOf(kept))?.images ?? [];
  const imageId = image?.id ?? 0;
  await tablet.make({
    op: 'delete-image',
    resource: 'generators',
    recordId: String(idOf(kept)),
    imageId,
    image: '',
  });
  await server.restore(backup);
  await tablet.signIn(1);
  // the creation and its deletion are settled
  expect(await tablet.compare()).toBe(2);
  await tablet.sendAgain();
  const rows = await list(tablet);
  expect(rows.map(({ id }) => id)).toEqual([idOf(kept)]);
  expect(rows[0]?.images?.map(({ id }) => id)).toEqual([expect.not.closeTo(imageId, 0)]);
});

test('follows a record that got another id, with what waits for it too', async () => {
  const { server, tablet } = await begin();
  const snapshot = await server.snapshot();
  const made = await tablet.make(generatorDraft('lost'));
  await edit(tablet, idOf(made), { origin: 'France' });
  const recordId = String(idOf(made));
  const base = baseOf(await tablet.ask<ServerRecord>(`${generators.endpoints.single}/${recordId}`));
  const values = { ...base.values, capacity: '200 kVA' };
  await tablet.save({ op: 'update', resource: 'generators', recordId, values, files: [], base });
  await server.putBack(snapshot);
  // another one's record has its id now
  const other = new KeepingDevice(server);
  await other.signIn(1);
  const stranger = await other.make(generatorDraft('stranger'));
  expect(idOf(stranger)).toBe(idOf(made));
  await tablet.signIn(1);
  expect([await tablet.compare(), await tablet.sendAgain()]).toEqual([2, 2]);
  const rows = await list(tablet);
  expect(rows.map(({ brand, origin, capacity }) => [brand, origin, capacity])).toEqual([
    ['Brand stranger', 'UK', '100 kVA'],
    ['Brand lost', 'France', '200 kVA'],
  ]);
});

test('is bound to its user: nobody else sees or sends it, and it goes when they say so', async () => {
  const { server, tablet } = await begin();
  const second = await server.addUser('Second');
  const backup = await server.backUp();
  await tablet.make(generatorDraft('mine'));
  await server.restore(backup);
  await tablet.signIn(second);
  expect([await tablet.compare(), await tablet.sendAgain()]).toEqual([0, 0]);
  expect(await tablet.kept()).toMatchObject({ forgotten: [], count: 0, bytes: 0 });
  await tablet.signIn(1);
  expect(await tablet.compare()).toBe(1);
  await tablet.removeKept();
  expect([await tablet.files(), (await tablet.kept()).forgotten]).toEqual([0, []]);
  expect(await tablet.sendAgain()).toBe(0);
});

test('keeps a tenth of the quota, the newest files first, and gives all of it to a save', async () => {
  const room = { estimate: async () => ({ quota: 30_000_000, usage: 0 }) };
  const { tablet } = await begin({ room });
  for (const mark of ['one', 'two', 'three']) await tablet.make(heavyDraft(mark, 1_400_000));
  expect(await mostKept(tablet.page)).toBe(3_000_000);
  const names = async () =>
    (await tablet.page.outbox.files.toArray()).map(({ name }) => name.replace(/\..*/, '')).toSorted();
  expect(await names()).toEqual(['three', 'three-0', 'two', 'two-0']);
  expect((await tablet.kept()).textsOnly).toBe(1);
  expect(await trimKept(tablet.page, 0)).toBe(true);
  expect([await names(), (await tablet.kept()).count]).toEqual([[], 3]);
  expect(await trimKept(tablet.page, 0)).toBe(false);
});

test('sends a change again without the files that had to give way', async () => {
  const { server, tablet } = await begin();
  const backup = await server.backUp();
  await tablet.make(generatorDraft('lost', 2));
  await trimKept(tablet.page, 0);
  await server.restore(backup);
  await tablet.signIn(1);
  expect([await tablet.compare(), await tablet.sendAgain()]).toEqual([1, 1]);
  // the catalogue and the images are required
  expect(await tablet.waiting()).toMatchObject([{ state: 'attention', reason: { status: 422 } }]);
});

test('asks once for each standing of the server, and again after an answer that did not come', async () => {
  const { server, tablet } = await begin();
  await tablet.make(generatorDraft('kept'));
  let asked = 0;
  const counted = <T>(answer: T): T => {
    asked += 1;
    return answer;
  };
  await expect(
    tablet.compare(() => {
      throw new Error('cut');
    }),
  ).rejects.toThrow('cut');
  for (let round = 0; round < 3; round += 1) await tablet.compare(counted);
  expect(asked).toBe(1);
  await server.restart();
  await tablet.compare(counted);
  expect(asked).toBe(2);
  expect(await readMeta(tablet.page.outbox, 'kept')).toMatchObject({ 1: { forgotten: 0 } });
});

test('names no change that deletes what was gone already', async () => {
  const { server, tablet } = await begin();
  const made = await tablet.make(generatorDraft('gone'));
  const other = new KeepingDevice(server);
  await other.signIn(1);
  const draft = { op: 'delete', resource: 'generators', recordId: String(idOf(made)) } as const;
  await tablet.save({ ...draft, base: { values: {}, version: made.receipt?.version ?? '' } });
  await other.make({ ...draft, base: { values: {}, version: made.receipt?.version ?? '' } });
  await tablet.drain();
  expect(await tablet.waiting()).toEqual([]);
  expect(await tablet.compare()).toBe(0);
});
