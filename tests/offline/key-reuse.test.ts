import { describe, expect, test } from 'vitest';
import { discard } from '../../src/offline/outbox/entry-commands.ts';
import { drain } from '../../src/offline/sender/drain.ts';
import { exportQueue, importQueue } from '../../src/offline/outbox/export.ts';
import { readMeta } from '../../src/offline/storage/meta.ts';
import { repair } from '../../src/offline/outbox/repair.ts';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import type { Values } from '../../src/domain/validate.ts';
import { Device } from './support/device.ts';
import { editOf, generatorDraft, photo } from './support/drafts.ts';
import { cut, json, OfflineWorld } from './support/offline-world.ts';

/** A change had arrived as first sent, lost its files on this device and was repaired: only the difference is sent. */

const about = { administrator: '1', title: 'Mended' };

function pathOf(id: number | string | undefined): string {
  return `/api/get-single-generator/${id}`;
}

/** A create that has arrived and is then repaired with other texts and these files. */
async function mendedCreate(
  mark: string,
  values: Values,
  files = generatorDraft(mark).files,
): Promise<{ world: OfflineWorld; entry: OutboxEntry; draft: ReturnType<typeof generatorDraft> }> {
  const world = await OfflineWorld.begin();
  const draft = generatorDraft(mark);
  const entry = await world.saveAndLoseFiles(draft);
  await repair(world.page, entry.id, { ...draft, values: { ...draft.values, ...values }, files }, about);
  return { world, entry, draft };
}

/** An edit with one photo that has arrived, and whose photo was lost on this device. */
async function lostEdit(mark: string) {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft(mark));
  await world.drain();
  const recordId = String((await world.done())[0]?.receipt?.serverId);
  const path = pathOf(recordId);
  const { values } = generatorDraft(mark);
  const { version, images } = await world.ask<{ version: string; images: { id: number }[] }>(path);
  const base = { values, imageIds: images.map(({ id }) => id), version };
  const update = { op: 'update', resource: 'generators', recordId, values, base } as const;
  const entry = await world.saveAndLoseFiles({ ...update, files: [photo(`${mark} lost`)] });
  return { world, path, update, entry };
}

describe('a create that had arrived', () => {
  test('is not created twice, and the repair follows it', async () => {
    const { world } = await mendedCreate('capacity', { capacity: '200 kVA' });
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    const own = await world.generators('capacity');
    expect(own).toHaveLength(1);
    expect(await world.ask(pathOf(own[0]?.id))).toMatchObject({ capacity: '200 kVA', images: { length: 1 } });
  });

  test('keeps its id when the repair changed its title', async () => {
    const { world, entry } = await mendedCreate('named', { brand: 'Brand renamed' });
    await world.drain();
    const rows = await world.generators('renamed');
    expect(rows).toHaveLength(1);
    expect((await world.done()).find(({ id }) => id === entry.id)?.receipt).toMatchObject({ serverId: rows[0]?.id });
    expect(await world.waiting()).toEqual([]);
  });

  test('is told apart from an older record with the same texts, and later changes go to its own record', async () => {
    const elsewhere = await OfflineWorld.begin();
    await elsewhere.save(generatorDraft('alike'));
    await elsewhere.drain();
    const older = (await elsewhere.done())[0]?.receipt?.serverId;
    const world = await OfflineWorld.begin();
    const draft = generatorDraft('alike');
    const entry = await world.saveAndLoseFiles({ ...draft, values: { ...draft.values, capacity: '150 kVA' } });
    await world.save(editOf(entry, {}, [photo('behind')]));
    await repair(world.page, entry.id, draft, about);
    await world.drain();
    expect(await world.ask(pathOf(older))).toMatchObject({ images: { length: 1 } });
    const [receipt] = (await world.done()).filter(({ id }) => id === entry.id);
    expect(receipt?.receipt?.serverId).toBeDefined();
    expect(receipt?.receipt?.serverId).not.toBe(older);
    expect(receipt?.receipt).not.toHaveProperty('duplicates');
  });

  test('gets a photo added by the repair, and none of its own photos again', async () => {
    const { files } = generatorDraft('added');
    const { world } = await mendedCreate('added', {}, [...files, photo('another')]);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    const [own] = await world.generators('added');
    expect(await world.ask(pathOf(own?.id))).toMatchObject({ images: { length: 2 } });
    expect(await world.page.outbox.files.count()).toBe(0);
  });

  test('gets a replaced catalogue, but no second photo for one attached again with other bytes', async () => {
    const { world } = await mendedCreate('replaced', {}, generatorDraft('replaced again').files);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    const [own] = await world.generators('replaced');
    expect(await world.ask(pathOf(own?.id))).toMatchObject({ images: { length: 1 } });
    expect(world.sent.at(-1)?.fields.get('catalog')).toBe('replaced again.pdf');
  });

  test('stays possibly delivered, with all its files, while it cannot be looked up', async () => {
    const { world, entry } = await mendedCreate('unasked', { capacity: '200 kVA' });
    world.device.wire = async (request, pass) =>
      request.method === 'GET' && request.url.includes('/api/changes/')
        ? json(503, { message: 'Busy.' }, { 'retry-after': '1' })()
        : pass(request);
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ id: entry.id, state: 'pending', change: { files: [{}, {}] } }]);
    await world.linkReturns();
    expect(await world.waiting()).toEqual([]);
    expect(await world.generators('unasked')).toMatchObject([{ capacity: '200 kVA' }]);
  });

  test.each<[string, () => Response]>([
    ['knows no such change', json(404, { message: 'None.' })],
    ['says that it was refused', json(422, { message: 'Refused.', errors: {} })],
    ['says that someone else came first', json(412, { message: 'Changed.' })],
    ['names no record', json(200, { message: 'Created.' })],
  ])('stays possibly delivered, and is tried again later, when the server %s', async (what, answer) => {
    const { world, entry } = await mendedCreate(what, { capacity: '200 kVA' });
    const question = `/api/changes/${entry.idempotencyKey}`;
    world.device.wire = async (request, pass) =>
      new URL(request.url).pathname === question ? answer() : pass(request);
    world.sent.length = 0;
    await world.drain();
    const [waiting] = await world.waiting();
    expect(waiting).toMatchObject({ id: entry.id, state: 'pending', change: { files: [{}, {}] } });
    expect(waiting?.delivery).toContain('attempt');
    expect(waiting?.notBefore).toBeGreaterThan(world.page.now());
    await world.linkReturns();
    expect(await world.waiting()).toEqual([]);
    expect(await world.generators(what)).toMatchObject([{ capacity: '200 kVA' }]);
  });

  test('keeps both repairs when two devices repaired it from one queue file', async () => {
    const world = await OfflineWorld.begin();
    const draft = generatorDraft('two-mend');
    const entry = await world.save({ ...draft, values: { ...draft.values, brand: '' } });
    await world.drain();
    const file = await exportQueue(world.page, world.me.id);
    const other = new Device(world.backend);
    const page = other.environment();
    const me = await other.signIn(page);
    await importQueue(page, file);
    await repair(world.page, entry.id, { ...draft, values: { ...draft.values, brand: 'Brand first' } }, about);
    await world.drain();
    const second = { ...draft, values: { ...draft.values, brand: 'Brand second' } };
    await repair(page, entry.id, second, { administrator: me.id, title: 'Mended' });
    await drain(page);
    const left = await page.outbox.entries.toArray();
    const [own] = await world.generators('first');
    expect(left).toMatchObject([
      { state: 'done', receipt: { serverId: own?.id } },
      { state: 'attention', reason: { code: 'conflict' }, change: { values: { brand: 'Brand second' }, files: [] } },
    ]);
  });
});

describe('an edit that had arrived', () => {
  test('adds no photo twice when it is attached again', async () => {
    const { world, path, update, entry } = await lostEdit('again');
    await repair(world.page, entry.id, { ...update, files: [photo('again lost')] }, about);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(await world.ask(path)).toMatchObject({ images: { length: 2 } });
    expect(await world.page.outbox.files.count()).toBe(0);
  });

  test('adds no photo twice when its form had shown the photo that arrived', async () => {
    const { world, path, update, entry } = await lostEdit('shown');
    const { images } = await world.ask<{ images: { id: number }[] }>(path);
    const base = { ...update.base, imageIds: images.map(({ id }) => id) };
    expect(base.imageIds).toHaveLength(2);
    await repair(world.page, entry.id, { ...update, base, files: [photo('shown lost')] }, about);
    world.answerChanges(json(422, { message: 'Known.', code: 'idempotency-key-reused' }));
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(await world.ask(path)).toMatchObject({ images: { length: 2 } });
  });

  test('adds no second photo for one attached again with other bytes', async () => {
    const { world, path, update, entry } = await lostEdit('other bytes');
    await repair(world.page, entry.id, { ...update, files: [photo('picked again')] }, about);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(await world.ask(path)).toMatchObject({ images: { length: 2 } });
    expect(await world.page.outbox.files.count()).toBe(0);
  });

  test('adds no photo twice on another device that had compared it after it arrived', async () => {
    const world = await OfflineWorld.begin();
    const draft = generatorDraft('carried');
    await world.save(draft);
    await world.drain();
    const recordId = String((await world.done())[0]?.receipt?.serverId);
    const base = { values: draft.values, imageIds: [] };
    const update = { op: 'update', resource: 'generators', recordId, values: draft.values, base } as const;
    const entry = await world.save({ ...update, files: [photo('carried lost')] });
    const file = await exportQueue(world.page, world.me.id);
    await world.drain();
    const other = new Device(world.backend);
    const page = other.environment();
    const me = await other.signIn(page);
    await importQueue(page, file);
    await page.outbox.files.clear();
    await drain(page);
    expect(await page.outbox.entries.toArray()).toMatchObject([{ reason: { code: 'file-lost' } }]);
    const again = { ...update, files: [photo('carried again')] };
    await repair(page, entry.id, again, { administrator: me.id, title: 'Mended' });
    await drain(page);
    expect(await page.outbox.entries.toArray()).toMatchObject([{ state: 'done' }]);
    expect(await world.ask(pathOf(recordId))).toMatchObject({ images: { length: 2 } });
  });

  test('stays possibly delivered while the record cannot be read, and continues when it can', async () => {
    const { world, path, update, entry } = await lostEdit('unread');
    await repair(world.page, entry.id, { ...update, files: [photo('unread lost'), photo('one more')] }, about);
    world.device.wire = async (request, pass) =>
      request.method === 'GET' && request.url.endsWith(path) ? cut() : pass(request);
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ id: entry.id, state: 'pending', change: { files: [{}, {}] } }]);
    expect((await readMeta(world.page.outbox, 'pause'))?.until).toBeGreaterThan(world.page.now());
    await world.linkReturns();
    expect(await world.waiting()).toEqual([]);
    expect(await world.ask(path)).toMatchObject({ images: { length: 3 } });
  });

  test('does not read the record first without files', async () => {
    const { world, path, update, entry } = await lostEdit('no files');
    const { values } = update;
    await repair(world.page, entry.id, { ...update, values: { ...values, origin: 'Spain' }, files: [] }, about);
    const reads: string[] = [];
    let isKnown = false;
    world.device.wire = async (request, pass) => {
      if (request.method === 'GET') reads.push(new URL(request.url).pathname);
      // the request that follows is no longer sent
      if (isKnown) return cut();
      const answer = await pass(request);
      isKnown = answer.status === 422;
      return answer;
    };
    await world.drain();
    expect(reads).not.toContain(path);
    await world.linkReturns();
    expect(await world.ask(path)).toMatchObject({ origin: 'Spain', images: { length: 2 } });
  });

  test('adds another photo picked beside it', async () => {
    const { world, path, update, entry } = await lostEdit('beside');
    await repair(world.page, entry.id, { ...update, files: [photo('beside lost'), photo('another')] }, about);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(await world.ask(path)).toMatchObject({ images: { length: 3 } });
  });

  test('does not come back once it is discarded', async () => {
    const { world, path, update, entry } = await lostEdit('discarded');
    const { values } = update;
    await repair(world.page, entry.id, { ...update, values: { ...values, origin: 'Spain' }, files: [] }, about);
    world.onChanges(async (request, pass) => {
      const answer = await pass(request);
      await discard(world.page, entry.id);
      world.goodLink();
      return answer;
    });
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(await world.ask(path)).toMatchObject({ origin: 'UK' });
  });
});
