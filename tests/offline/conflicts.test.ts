import { beforeEach, describe, expect, test } from 'vitest';
import { resolve, undo } from '../../src/offline/outbox/entry-commands.ts';
import { baseOf } from '../../src/domain/outbox/base.ts';
import { compare } from '../../src/domain/outbox/conflict.ts';
import type { Base } from '../../src/domain/outbox/vocabulary.ts';
import type { ServerRecord } from '../../src/domain/resource.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { generatorDraft, photo } from './support/drafts.ts';
import { cut, json, OfflineWorld } from './support/offline-world.ts';

describe.each(['own', 'contract-only'] as const)('on a server of kind %s', (kind) => {
  let world: OfflineWorld;
  let path: string;
  let recordId: string;

  beforeEach(async (context) => {
    world = await OfflineWorld.begin(kind);
    await world.save(generatorDraft(`${kind}-${context.task.id}`));
    await world.drain();
    recordId = String((await world.done())[0]?.receipt?.serverId);
    path = `/api/get-single-generator/${recordId}`;
    world.sent.length = 0;
  });

  async function seen(): Promise<Base> {
    return baseOf(resourceOf('generators'), await world.ask<ServerRecord>(path));
  }

  async function elsewhere(values: Record<string, string>): Promise<void> {
    expect(await world.elsewhere(path, { ...(await seen()).values, ...values })).toBe(200);
  }

  async function edit(base: Base, values: Record<string, string>, files = [] as ReturnType<typeof photo>[]) {
    const change = { op: 'update', resource: 'generators', recordId, files } as const;
    return world.save({ ...change, values: { ...base.values, ...values }, base });
  }

  test('an edit rejected for an old cookie before the device slept overwrites nothing', async () => {
    const base = await seen();
    await edit(base, { origin: 'Spain' });
    let slept = false;
    world.onChanges(async (request, pass) => {
      if (slept) return pass(request);
      slept = true;
      await elsewhere({ origin: 'France' });
      world.device.pass(20_000);
      return json(419, { message: 'CSRF token mismatch.' })();
    });
    await world.drain();
    await world.linkReturns();
    expect(await seen()).toMatchObject({ values: { origin: 'France' } });
    expect(await world.waiting()).toMatchObject([{ state: 'attention', reason: { code: 'conflict' } }]);
  });

  test('an edit of an unchanged record is saved', async () => {
    await edit(await seen(), { origin: 'Spain' });
    await world.drain();
    expect(await world.ask(path)).toMatchObject({ origin: 'Spain' });
  });

  test('edits of different fields merge, and the receipt lists the merged fields', async () => {
    const base = await seen();
    await elsewhere({ capacity: '200 kVA' });
    await edit(base, { origin: 'Spain' });
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(await world.ask(path)).toMatchObject({ origin: 'Spain', capacity: '200 kVA' });
    expect((await world.done())[0]?.receipt?.merged).toEqual(['capacity']);
  });

  test('an edit made in a list, without a version, merges as well', async () => {
    const { values } = await seen();
    await elsewhere({ capacity: '200 kVA' });
    await edit({ values, imageIds: [] }, { origin: 'Spain' });
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(await world.ask(path)).toMatchObject({ origin: 'Spain', capacity: '200 kVA' });
  });

  test('an edit from a form without a newer field keeps the server’s value', async () => {
    const base = await seen();
    const { origin: _, ...older } = base.values;
    const change = { op: 'update', resource: 'generators', recordId, files: [] } as const;
    await world.save({ ...change, values: { ...older, capacity: '300 kVA' }, base: { ...base, values: older } });
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(await world.ask(path)).toMatchObject({ origin: 'UK', capacity: '300 kVA' });
  });

  async function removal(base: Base) {
    const [imageId = 0] = base.imageIds ?? [];
    return world.save({ op: 'delete-image', resource: 'generators', recordId, imageId, image: 'x.gif', base });
  }

  test('an image is removed although someone has changed the record’s texts', async () => {
    const base = await seen();
    await elsewhere({ origin: 'France' });
    await removal(base);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(await seen()).toMatchObject({ imageIds: [], values: { origin: 'France' } });
  });

  test('an image is not removed without asking when someone has changed the images', async () => {
    const base = await seen();
    const other = await OfflineWorld.begin(kind);
    other.device.wire = (request) => world.backend.handle(request);
    other.me = await other.device.signIn(other.page);
    const added = { op: 'update', resource: 'generators', recordId, values: base.values, base } as const;
    await other.save({ ...added, files: [photo(`${kind}-added`)] });
    await other.drain();
    const { id } = await removal(base);
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ id, state: 'attention', reason: { code: 'conflict' } }]);
    expect((await seen()).imageIds).toHaveLength(2);
    await resolve(world.page, id, {});
    await world.drain();
    expect((await seen()).imageIds).toHaveLength(1);
    expect((await seen()).imageIds).not.toContain(base.imageIds?.[0]);
  });

  test('an image that is already gone needs no removal', async () => {
    const base = await seen();
    await world.elsewhere(`/api/delete-image/${base.imageIds?.[0]}`, {});
    await removal(base);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect((await world.done())[0]?.change.op).toBe('delete-image');
  });

  test('an edit behind the removal of an image overwrites nothing', async () => {
    const base = await seen();
    await removal(base);
    await edit(base, { origin: 'Spain' });
    await elsewhere({ origin: 'France' });
    await world.drain();
    expect(await world.waiting()).toMatchObject([
      { change: { op: 'update' }, state: 'attention', reason: { code: 'conflict' } },
    ]);
    expect(await seen()).toMatchObject({ values: { origin: 'France' }, imageIds: [] });
  });

  test('a waiting removal of an image can be undone', async () => {
    const base = await seen();
    const { id } = await removal(base);
    expect(await undo(world.page, id)).toBe(true);
    await world.drain();
    expect((await seen()).imageIds).toEqual(base.imageIds);
  });

  test('a conflict with one’s own earlier edit is told apart from one with someone else’s', async () => {
    const base = await seen();
    await edit(base, { origin: 'France' });
    await world.drain();
    await edit(base, { origin: 'Spain' });
    await world.drain();
    expect(await world.waiting()).toMatchObject([
      { state: 'attention', reason: { code: 'conflict' }, conflict: { own: true } },
    ]);
    const [entry] = await world.waiting();
    await resolve(world.page, entry?.id ?? '', { ...base.values, origin: 'Spain' });
    await elsewhere({ origin: 'Italy' });
    await world.drain();
    expect((await world.waiting())[0]?.conflict).not.toHaveProperty('own');
  });

  test('edits of the same field wait for the administrator’s decision', async () => {
    const base = await seen();
    await elsewhere({ origin: 'France' });
    const { id } = await edit(base, { origin: 'Spain', capacity: '300 kVA' });
    await world.drain();
    const [entry] = await world.waiting();
    expect(entry).toMatchObject({
      state: 'attention',
      reason: { code: 'conflict' },
      conflict: { theirs: { values: { origin: 'France' } } },
    });
    expect(await world.ask(path)).toMatchObject({ origin: 'France', capacity: '100 kVA' });
    if (entry?.conflict === undefined) throw new Error('There is no conflict.');
    const comparison = compare(entry.change, entry.conflict.theirs);
    expect(comparison.conflicts).toEqual(['origin']);
    await resolve(world.page, id, { ...comparison.merged, origin: 'Spain' });
    await world.drain();
    expect(await world.ask(path)).toMatchObject({ origin: 'Spain', capacity: '300 kVA' });
  });

  test('a conflict found after a lost request settles the delivery', async () => {
    await edit(await seen(), { origin: 'Spain' });
    world.onChanges(async () => cut());
    await world.drain();
    await elsewhere({ origin: 'France' });
    await world.linkReturns();
    expect(await world.waiting()).toMatchObject([{ state: 'attention', reason: { code: 'conflict' }, delivery: [] }]);
  });

  test('a delete does not conflict with one’s own earlier changes', async () => {
    const base = await seen();
    const first = { ...base.values, origin: 'Spain' };
    await edit(base, { origin: 'Spain' }, [photo(`${kind}-own`)]);
    world.onChanges(async () => cut());
    await world.drain();
    await edit({ ...base, values: first }, { origin: 'Italy' });
    await world.save({
      op: 'delete',
      resource: 'generators',
      recordId,
      base: { ...base, values: { ...first, origin: 'Italy' } },
    });
    world.goodLink();
    world.device.pass(10 * 60_000);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(world.sent.at(-1)?.path).toBe(`/api/delete-generator/${recordId}`);
  });

  test('a deletion is in conflict with what an own edit before it, which it makes moot, was merged with', async () => {
    const base = await seen();
    await edit(base, { origin: 'Spain' });
    world.onChanges(async () => cut());
    await world.drain();
    const shown = { ...base, values: { ...base.values, origin: 'Spain' } };
    const { id } = await world.save({ op: 'delete', resource: 'generators', recordId, base: shown });
    await elsewhere({ capacity: '200 kVA' });
    await world.linkReturns();
    expect(await world.waiting()).toMatchObject([{ id, state: 'attention', reason: { code: 'conflict' } }]);
  });

  test('a later edit does not overwrite what an earlier one was merged with', async () => {
    const base = await seen();
    await elsewhere({ capacity: '200 kVA' });
    await edit(base, { origin: 'Spain' });
    world.onChanges(async () => cut());
    await world.drain();
    await edit({ ...base, values: { ...base.values, origin: 'Spain' } }, { engine_model: 'E-2' });
    world.goodLink();
    world.device.pass(10 * 60_000);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(await world.ask(path)).toMatchObject({ origin: 'Spain', capacity: '200 kVA', engine_model: 'E-2' });
  });

  test('a record that has changed is not deleted without asking', async () => {
    const base = await seen();
    await elsewhere({ origin: 'France' });
    const { id } = await world.save({ op: 'delete', resource: 'generators', recordId, base });
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ state: 'attention', reason: { code: 'conflict' } }]);
    await resolve(world.page, id, {});
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(await world.ask('/api/get-generators')).not.toContainEqual(
      expect.objectContaining({ id: Number(recordId) }),
    );
  });

  test('an edit of a deleted record needs the administrator', async () => {
    const base = await seen();
    await world.elsewhere(`/api/delete-generator/${recordId}`, {});
    await edit(base, { origin: 'Spain' });
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ state: 'attention', reason: { code: 'gone' } }]);
  });

  test('removing an image does not hide someone else’s edit from the next change', async () => {
    const { images = [] } = await world.ask<ServerRecord>(path);
    const base = await seen();
    const image = images[0] ?? { id: 0, image: '' };
    await elsewhere({ capacity: '200 kVA' });
    await world.save({ op: 'delete-image', resource: 'generators', recordId, imageId: image.id, image: image.image });
    await edit(base, { origin: 'Spain' });
    await world.drain();
    expect(await world.ask(path)).toMatchObject({ origin: 'Spain', capacity: '200 kVA', images: [] });
  });

  test('site settings are compared too', async () => {
    const settings = baseOf(siteMeta, await world.ask<ServerRecord>(siteMeta.endpoints.single));
    const complete = { ...settings.values, title: 'T', phone: '1', email: 'a@example.com', address: 'A' };
    await world.elsewhere(siteMeta.endpoints.single, complete);
    const base = baseOf(siteMeta, await world.ask<ServerRecord>(siteMeta.endpoints.single));
    await world.elsewhere(siteMeta.endpoints.single, { ...complete, phone: '2' });
    await world.save({
      op: 'update',
      resource: 'site-meta',
      recordId: '1',
      files: [],
      values: { ...base.values, title: 'Mine' },
      base,
    });
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(await world.ask(siteMeta.endpoints.single)).toMatchObject({ title: 'Mine', phone: '2' });
  });
});

test('files that were not chosen are left out of a resolved conflict', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('leave-out'));
  await world.drain();
  const recordId = String((await world.done())[0]?.receipt?.serverId);
  const path = `/api/get-single-generator/${recordId}`;
  const base = baseOf(resourceOf('generators'), await world.ask<ServerRecord>(path));
  await world.elsewhere(path, { ...base.values, origin: 'France' });
  const change = { op: 'update', resource: 'generators', recordId, base } as const;
  const entry = await world.save({ ...change, values: { ...base.values, origin: 'Spain' }, files: [photo('mine')] });
  await world.drain();
  const [file] = 'files' in entry.change ? entry.change.files : [];
  await resolve(world.page, entry.id, base.values, [file?.id ?? '']);
  await world.drain();
  expect(await world.waiting()).toEqual([]);
  expect((await world.ask<ServerRecord>(path)).images).toHaveLength(1);
  expect(await world.page.outbox.files.count()).toBe(0);
});
