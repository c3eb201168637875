import { describe, expect, test } from 'vitest';
import { withdraw } from '../../src/offline/outbox/entry-commands.ts';
import { repair } from '../../src/offline/outbox/repair.ts';
import { filesOf } from '../../src/domain/outbox/vocabulary.ts';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { editOf, generatorDraft, hashOf, photo } from './support/drafts.ts';
import { json, OfflineWorld } from './support/offline-world.ts';

const about = { administrator: '1', title: 'Mended' };

async function refused(world: OfflineWorld, mark: string, images = 1): Promise<OutboxEntry> {
  const draft = generatorDraft(mark, images);
  const entry = await world.save({ ...draft, values: { ...draft.values, capacity: '' } });
  await world.drain();
  expect((await world.waiting())[0]?.state).toBe('attention');
  return entry;
}

describe('a repaired change', () => {
  test('keeps its place, its record and its key', async () => {
    const world = await OfflineWorld.begin();
    const entry = await refused(world, 'mended');
    await world.save(generatorDraft('after-mended'));
    const mended = await repair(world.page, entry.id, generatorDraft('mended', 2), about);
    expect(mended).toMatchObject({
      id: entry.id,
      sequence: entry.sequence,
      createdAt: entry.createdAt,
      title: 'Mended',
    });
    expect(mended.change).toMatchObject({ recordId: (entry.change as { recordId: string }).recordId });
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(world.sent.map(({ fields }) => fields.get('brand'))).toEqual([
      'Brand mended',
      'Brand mended',
      'Brand after-mended',
    ]);
    expect(world.sent[0]?.key).toBe(world.sent[1]?.key);
  });

  test('is followed by changes made to its record meanwhile', async () => {
    const world = await OfflineWorld.begin();
    const entry = await refused(world, 'followed');
    await world.save(editOf(entry, { origin: 'Spain' }));
    await repair(world.page, entry.id, generatorDraft('followed'), about);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    const create = (await world.done()).find(({ change }) => change.op === 'create');
    expect(await world.ask(`/api/get-single-generator/${create?.receipt?.serverId}`)).toMatchObject({
      capacity: '100 kVA',
      origin: 'Spain',
    });
  });

  test('stays a create when its form was opened as an edit', async () => {
    const world = await OfflineWorld.begin();
    const entry = await refused(world, 'as-edit');
    const edited = editOf(entry, { capacity: '100 kVA' }, generatorDraft('as-edit').files);
    const { change } = await repair(world.page, entry.id, edited, about);
    const { resource, recordId } = edited;
    expect({ ...change, files: [] }).toEqual({ op: 'create', resource, recordId, values: edited.values, files: [] });
    await world.drain();
    expect(world.sent.at(-1)).toMatchObject({ path: '/api/create-generator', ifMatch: null });
    expect(await world.generators('as-edit')).toHaveLength(1);
  });

  test('leaves none of its earlier files behind', async () => {
    const world = await OfflineWorld.begin();
    const entry = await refused(world, 'files', 3);
    await repair(world.page, entry.id, generatorDraft('files', 1), about);
    expect(await world.page.outbox.files.count()).toBe(2);
  });

  test('with more files than one request allows sends them all, before later changes of its record', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const entry = await refused(world, 'divided', 30);
    const last = await world.save(editOf(entry, {}, [photo('last')]));
    const draft = generatorDraft('divided', 44);
    await repair(world.page, entry.id, draft, about);
    const waiting = await world.waiting();
    expect(waiting.map((one) => filesOf(one).length)).toEqual([45, 1]);
    expect(waiting.at(-1)?.id).toBe(last.id);
    await world.drain();
    const { images } = await world.ask<{ images: { image: string }[] }>('/api/get-single-generator/1');
    const stored = await Promise.all(images.map(({ image }) => world.backend.receivedSha256(image)));
    const expected = [...draft.files.slice(1), photo('last')];
    expect(stored).toEqual(await Promise.all(expected.map(hashOf)));
  });

  test('cannot be repaired again while it is waiting', async () => {
    const world = await OfflineWorld.begin();
    const entry = await refused(world, 'too-late');
    await repair(world.page, entry.id, generatorDraft('too-late'), about);
    await expect(repair(world.page, entry.id, generatorDraft('too-late'), about)).rejects.toThrow('no longer refused');
  });
});

/** A create that met server errors until it needed the administrator: its delivery is unknown. */
async function refusedInDoubt(world: OfflineWorld, draft: ReturnType<typeof generatorDraft>) {
  const entry = await world.save(draft);
  const arrive = world.delayFirst(json(500, { message: 'Server Error' }));
  await refuseAgain(world);
  return { entry, arrive };
}

/** Answers with server errors for so long that the change needs the administrator. */
async function refuseAgain(world: OfflineWorld): Promise<void> {
  for (let tries = 0; tries < 14; tries += 1) {
    await world.drain();
    world.device.pass(6 * 60_000);
  }
  expect((await world.waiting())[0]).toMatchObject({
    state: 'attention',
    delivery: expect.arrayContaining(['attempt']),
    reason: { code: 'server-errors' },
  });
}

/** The ids of the stored files and of the files of waiting changes, each in order. */
async function filesHere(world: OfflineWorld) {
  const stored = await world.page.outbox.files.toCollection().primaryKeys();
  return {
    stored: stored.toSorted(),
    wanted: (await world.waiting())
      .flatMap(filesOf)
      .map(({ id }) => id)
      .toSorted(),
  };
}

describe('a change that may be delivered', () => {
  test('is not executed a second time by a repair', async () => {
    const world = await OfflineWorld.begin();
    const draft = generatorDraft('doubtful');
    const { entry, arrive } = await refusedInDoubt(world, draft);
    await arrive();
    world.goodLink();
    await repair(world.page, entry.id, { ...draft, values: { ...draft.values, origin: 'Spain' } }, about);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    const own = await world.generators('doubtful');
    expect(own).toHaveLength(1);
    expect(await world.ask(`/api/get-single-generator/${own[0]?.id}`)).toMatchObject({ origin: 'Spain', images: [{}] });
  });

  test('arrives as it was last repaired', async () => {
    const world = await OfflineWorld.begin();
    const draft = generatorDraft('mended-often', 2);
    const { entry } = await refusedInDoubt(world, draft);
    const values = (origin: string) => ({ ...draft.values, origin });
    await repair(
      world.page,
      entry.id,
      { ...draft, values: values('Spain'), files: [...draft.files, photo('x')] },
      about,
    );
    await refuseAgain(world);
    expect(await world.waiting()).toMatchObject([
      { id: entry.id, change: { values: { origin: 'Spain' }, files: { length: 4 } } },
    ]);
    await repair(world.page, entry.id, { ...draft, values: values('Italy') }, about);
    world.goodLink();
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    const [own] = await world.generators('mended-often');
    expect(await world.ask(`/api/get-single-generator/${own?.id}`)).toMatchObject({
      origin: 'Italy',
      images: { length: 2 },
    });
  });

  test('keeps no unreferenced files, however often it is repaired', async () => {
    const world = await OfflineWorld.begin();
    const draft = generatorDraft('leaking', 2);
    const { entry } = await refusedInDoubt(world, draft);
    for (const origin of ['Spain', 'Italy', 'France']) {
      await repair(world.page, entry.id, { ...draft, values: { ...draft.values, origin } }, about);
      const { stored, wanted } = await filesHere(world);
      expect(stored).toEqual(wanted);
      await refuseAgain(world);
    }
    const files = [...draft.files, photo('leaking-new')];
    await repair(world.page, entry.id, { ...draft, files }, about);
    const { stored, wanted } = await filesHere(world);
    expect(stored).toEqual(wanted);
    expect(stored).toHaveLength(4);
    world.goodLink();
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(await world.page.outbox.files.count()).toBe(0);
  });

  test('sends no more files in one request than allowed', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const draft = generatorDraft('doubt-divided', 2);
    const { entry } = await refusedInDoubt(world, draft);
    const added = Array.from({ length: 44 }, (_, index) => photo(`added-${index}`));
    await repair(world.page, entry.id, { ...draft, files: [...draft.files, ...added] }, about);
    expect((await world.waiting()).map((waiting) => filesOf(waiting).length)).toEqual([47]);
    await world.linkReturns();
    expect(await world.waiting()).toEqual([]);
    const { images } = await world.ask<{ images: { image: string }[] }>('/api/get-single-generator/1');
    const stored = await Promise.all(images.map(({ image }) => world.backend.receivedSha256(image)));
    expect(stored).toEqual(await Promise.all([...draft.files.slice(1), ...added].map(hashOf)));
  });
});

describe('a lost file', () => {
  test('that is attached again is sent under the same key when the first attempt may be delivered', async () => {
    const world = await OfflineWorld.begin();
    const draft = generatorDraft('attached');
    const entry = await world.saveAndLoseFiles(draft);
    expect(await world.waiting()).toMatchObject([
      { state: 'attention', delivery: ['attempt'], reason: { code: 'file-lost' } },
    ]);
    await repair(world.page, entry.id, draft, about);
    await world.drain();
    expect(await world.generators('attached')).toHaveLength(1);
    expect(await world.waiting()).toEqual([]);
  });
});

describe('a form that is still open', () => {
  test('cannot take back a change that may be delivered', async () => {
    const world = await OfflineWorld.begin();
    const entry = await world.saveAndLoseFiles(generatorDraft('in-doubt'));
    expect(await withdraw(world.page, entry)).toBe(false);
    expect(await world.waiting()).toMatchObject([{ id: entry.id, state: 'attention', delivery: ['attempt'] }]);
  });

  test('takes back a refused change, leaving nothing queued', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const entry = await refused(world, 'withdrawn', 30);
    expect(await withdraw(world.page, entry)).toBe(true);
    expect(await world.waiting()).toEqual([]);
    expect(await world.page.outbox.files.count()).toBe(0);
  });

  test('cannot take back a change that is not refused', async () => {
    const world = await OfflineWorld.begin();
    const entry = await world.save(generatorDraft('not-refused'));
    expect(await withdraw(world.page, entry)).toBe(false);
    expect(await world.waiting()).toHaveLength(1);
  });

  test('leaves a refused change in the outbox where another form’s edit was merged into it', async () => {
    const world = await OfflineWorld.begin();
    const draft = generatorDraft('merged-into');
    const entry = await world.save({ ...draft, values: { ...draft.values, capacity: '' } });
    const { id } = await world.save(editOf(entry, { origin: 'Spain' }));
    expect(id).toBe(entry.id);
    await world.drain();
    expect(await withdraw(world.page, entry)).toBe(false);
    expect(await world.waiting()).toMatchObject([{ id, change: { values: { origin: 'Spain' } } }]);
  });

  test('leaves a refused create in the outbox where a change of its record waits behind it', async () => {
    const world = await OfflineWorld.begin();
    const entry = await refused(world, 'waits-behind');
    const behind = await world.save(editOf(entry, { origin: 'Spain' }));
    expect(await withdraw(world.page, entry)).toBe(false);
    expect((await world.waiting()).map(({ id }) => id)).toEqual([entry.id, behind.id]);
  });
});

test('a new photo with the name of an earlier one is sent too, since every tablet calls them image.jpg', async () => {
  const world = await OfflineWorld.begin();
  const named = (mark: string) => ({ ...photo(mark), name: 'image.jpg' });
  const { files, ...texts } = generatorDraft('same-name', 0);
  const draft = { ...texts, files: [...files, named('same-name first')] };
  const entry = await world.save(draft);
  world.onChanges(async () => json(500, { message: 'Server Error' })());
  for (let tries = 0; tries < 12; tries += 1) {
    await world.drain();
    world.device.pass(6 * 60_000);
  }
  expect(await world.waiting()).toMatchObject([{ state: 'attention', delivery: ['attempt'] }]);
  await repair(world.page, entry.id, { ...draft, files: [...draft.files, named('same-name second')] }, about);
  await world.linkReturns();
  expect(await world.waiting()).toEqual([]);
  const [row] = await world.generators('same-name');
  const { images } = await world.ask<{ images: unknown[] }>(`/api/get-single-generator/${row?.id}`);
  expect(images).toHaveLength(2);
});

test.each([
  ['other bytes of the same length', (size: number) => new Uint8Array(size).fill(7)],
  ['empty', () => new Uint8Array()],
])('a stored file that has become %s is never sent and must be attached again', async (_what, rotten) => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('rotten'));
  await world.page.outbox.files.toCollection().modify((file) => {
    Object.assign(file, { bytes: rotten(file.size).buffer });
  });
  await world.drain();
  expect(world.sent).toEqual([]);
  expect(await world.waiting()).toMatchObject([{ state: 'attention', reason: { code: 'file-lost' } }]);
});
