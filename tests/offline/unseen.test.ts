import { describe, expect, test } from 'vitest';
import { baseOf, baseOfRow, baseOfView } from '../../src/domain/outbox/base.ts';
import { overlayRecord, overlayRows } from '../../src/domain/outbox/optimistic-view.ts';
import { type Base, filesOf } from '../../src/domain/outbox/vocabulary.ts';
import type { ListRow, ServerRecord } from '../../src/domain/resource.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import type { ChangeDraft } from '../../src/offline/outbox/change-draft.ts';
import { generatorDraft, photo } from './support/drafts.ts';
import { cut, OfflineWorld } from './support/offline-world.ts';

/** Nobody's work is overwritten or deleted unseen: what a change was not made on is asked about once the record has moved. */

const partners = resourceOf('partners');
const generators = resourceOf('generators');
const SERVERS = ['own', 'contract-only'] as const;
type Kind = (typeof SERVERS)[number];

/** A partner with a picture on the server. */
async function partnerOn(kind: Kind, name: string) {
  const world = await OfflineWorld.begin(kind);
  await world.save({ op: 'create', resource: 'partners', values: { name, link: '' }, files: [photo(name, 'image')] });
  await world.drain();
  await world.drain();
  const named = async () => (await world.ask<ListRow[]>('/api/get-partners')).filter((row) => row['name'] === name);
  const [row] = await named();
  if (row === undefined) throw new Error('The partner is not there.');
  const path = `/api/get-single-partner/${row.id}`;
  const about = { resource: 'partners', recordId: String(row.id) } as const;
  const record = () => world.ask<ServerRecord>(path);
  const replaced = async () => {
    expect(await world.elsewhere(path, { name, link: '' }, [photo(`${name} of someone else`, 'image')])).toBe(200);
  };
  return { world, row, path, about, named, record, replaced };
}

/** Expects that a deletion asks and has deleted nothing. */
async function expectQuestion(world: OfflineWorld, left: () => Promise<readonly unknown[]>): Promise<void> {
  await world.drain();
  expect(await world.waiting()).toMatchObject([
    { change: { op: 'delete' }, state: 'attention', reason: { code: 'conflict' } },
  ]);
  expect(await left()).toHaveLength(1);
}

/** What a screen shows of a record. */
const SCREENS: Readonly<Record<string, (row: ListRow, record: ServerRecord) => Base>> = {
  'a list': (row) => baseOfRow(partners, row, undefined),
  'a list with a copy of the record': (row, record) => baseOfRow(partners, row, baseOf(partners, record)),
  'an edit screen': (row, record) => baseOfView(overlayRecord(partners, record, { entries: [] }, String(row.id))),
};

describe.each(SERVERS)('on a server of kind %s, a deletion', (kind) => {
  test.each(Object.keys(SCREENS))('from %s asks when someone has replaced the picture since', async (screen) => {
    const { world, row, about, named, record, replaced } = await partnerOn(kind, `${kind} ${screen}`);
    const base = SCREENS[screen]?.(row, await record());
    await replaced();
    await world.save({ op: 'delete', ...about, ...(base && { base }) });
    await expectQuestion(world, named);
  });

  test.each(Object.keys(SCREENS))('from %s of an unchanged record asks nothing', async (screen) => {
    const { world, row, about, named, record } = await partnerOn(kind, `${kind} unchanged ${screen}`);
    const base = SCREENS[screen]?.(row, await record());
    await world.save({ op: 'delete', ...about, ...(base && { base }) });
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(await named()).toEqual([]);
  });

  test('that saw nothing of a record asks when someone has edited it since', async () => {
    const { world, path, about, named } = await partnerOn(kind, `${kind} nothing seen`);
    expect(await world.elsewhere(path, { name: `${kind} nothing seen`, link: 'https://example.com/new' })).toBe(200);
    await world.save({ op: 'delete', ...about });
    await expectQuestion(world, named);
  });

  test('that saw nothing of a record that this device has never changed asks', async () => {
    const { world, about, named } = await partnerOn(kind, `${kind} never here`);
    await world.page.outbox.entries.clear();
    await world.save({ op: 'delete', ...about });
    await expectQuestion(world, named);
  });

  test('that saw nothing of a record but its create on this device asks nothing', async () => {
    const { world, about, named } = await partnerOn(kind, `${kind} made here`);
    await world.save({ op: 'delete', ...about });
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(await named()).toEqual([]);
  });

  test('behind the create of its record, whose answer was lost, asks nothing', async () => {
    const world = await OfflineWorld.begin(kind);
    world.answersAreLost();
    const { change } = await world.save(generatorDraft(`${kind} behind`));
    await world.drain();
    await world.save({ op: 'delete', resource: 'generators', recordId: change.recordId });
    await world.linkReturns();
    await world.linkReturns();
    expect(await world.waiting()).toEqual([]);
    expect(await world.generators(`${kind} behind`)).toEqual([]);
  });
});

describe.each(SERVERS)(
  'on a server of kind %s, a deletion from a list behind an own edit that replaced the picture',
  (kind) => {
    const READ_BEFORE = {
      'the list and the copy of the record are': { list: true, record: true },
      'the list is': { list: true, record: false },
      'the copy of the record is': { list: false, record: true },
    } as const;
    type Before = keyof typeof READ_BEFORE;

    /** The base of the deletion. What was not read before the edit was read after it. */
    async function editedOn(name: string, before: Before) {
      const partner = await partnerOn(kind, name);
      const { world, about, record, named, row: rowBefore } = partner;
      const recordBefore = await record();
      const values = { name, link: 'https://example.com/' };
      const files = [photo(`${name} newer`, 'image')];
      await world.save({ op: 'update', ...about, values, files, base: baseOf(partners, recordBefore) });
      await world.drain();
      const edits = (await world.done()).filter(({ change }) => change.op === 'update');
      const since = (isBefore: boolean) => (isBefore ? edits : []);
      const [rowAfter = rowBefore] = await named();
      const { list, record: isRecordBefore } = READ_BEFORE[before];
      const [row] = overlayRows(partners, [list ? rowBefore : rowAfter], since(list), new Map());
      const overlay = { entries: since(isRecordBefore) };
      const read = isRecordBefore ? recordBefore : await record();
      const known = baseOfView(overlayRecord(partners, read, overlay, about.recordId));
      return {
        ...partner,
        values,
        base: baseOfRow(partners, { ...row, version: undefined }, known, edits.flatMap(filesOf)),
      };
    }

    test.each(Object.keys(READ_BEFORE) as Before[])('asks nothing if %s older than the edit', async (before) => {
      const { world, about, named, base } = await editedOn(`${kind} edited here ${before}`, before);
      await world.save({ op: 'delete', ...about, base });
      await world.drain();
      expect([await world.waiting(), await named()]).toEqual([[], []]);
    });

    test.each(Object.keys(READ_BEFORE) as Before[])(
      'asks if someone has replaced it since, even if %s older than the edit',
      async (before) => {
        const { world, path, about, named, values, base } = await editedOn(
          `${kind} replaced elsewhere ${before}`,
          before,
        );
        await world.elsewhere(path, values, [photo('of someone else', 'image')]);
        await world.save({ op: 'delete', ...about, base });
        await expectQuestion(world, named);
      },
    );
  },
);

test('a deletion from a list asks when someone has edited a field that the list does not show', async () => {
  const world = await OfflineWorld.begin();
  const { values } = generatorDraft('hidden field');
  await world.save(generatorDraft('hidden field'));
  await world.drain();
  const [row] = await world.generators('hidden field');
  const base = baseOfRow(generators, { ...row }, undefined);
  expect(base.values).not.toHaveProperty('alternator_model');
  await world.elsewhere(`/api/get-single-generator/${row?.id}`, { ...values, alternator_model: 'A-2' });
  await world.save({ op: 'delete', resource: 'generators', recordId: String(row?.id), base });
  await expectQuestion(world, () => world.generators('hidden field'));
});

/** An edit that is rebased over someone else's change, whose answer is then lost; the deletion is queued before that is known. */
async function editThenDelete(
  world: OfflineWorld,
  edit: ChangeDraft,
  deletion: ChangeDraft,
  meanwhile: () => Promise<unknown>,
) {
  world.onChanges(async () => cut());
  await world.save(edit);
  await world.drain();
  await meanwhile();
  world.onChanges(async (request, pass) => {
    const answer = await pass(request);
    return answer.status === 412 ? answer : cut();
  });
  world.device.pass(60_000);
  await world.drain();
  await world.save(deletion);
  await world.linkReturns();
}

describe('a deletion behind an edit that was rebased over someone else’s', () => {
  test('photo does not delete the photo unseen', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('rebased'));
    await world.drain();
    const [row] = await world.generators('rebased');
    const path = `/api/get-single-generator/${row?.id}`;
    const base = baseOf(generators, await world.ask<ServerRecord>(path));
    const about = { resource: 'generators', recordId: String(row?.id), base } as const;
    await editThenDelete(
      world,
      { op: 'update', ...about, values: { ...base.values, origin: 'Spain' }, files: [] },
      { op: 'delete', ...about },
      () => world.elsewhere(path, base.values, [photo('of someone else')]),
    );
    await expectQuestion(world, () => world.generators('rebased'));
  });

  test('picture does not delete the picture unseen', async () => {
    const { world, about, named, record, replaced } = await partnerOn('own', 'rebased picture');
    const base = baseOf(partners, await record());
    const values = { ...base.values, link: 'https://a.example' };
    await editThenDelete(
      world,
      { op: 'update', ...about, base, values, files: [] },
      { op: 'delete', ...about, base },
      replaced,
    );
    await expectQuestion(world, named);
  });
});

describe.each(SERVERS)('on a server of kind %s, a picture', (kind) => {
  test('over one that was not seen asks', async () => {
    const { world, row, about, record } = await partnerOn(kind, `${kind} import`);
    const before = (await record())['image'];
    const { image: _, ...columns } = row;
    const { version: __, ...base } = baseOf(partners, columns);
    const files = [photo(`${kind} imported`, 'image')];
    await world.save({ op: 'update', ...about, values: { name: `${kind} import`, link: '' }, files, base });
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ state: 'attention', reason: { code: 'conflict' } }]);
    expect((await record())['image']).toBe(before);
  });

  test('that is replaced twice in a row does not replace one of someone else in between', async () => {
    const { world, about, record, replaced } = await partnerOn(kind, `${kind} twice`);
    const base = baseOf(partners, await record());
    const edit = (mark: string) =>
      world.save({ op: 'update', ...about, values: base.values, files: [photo(mark, 'image')], base });
    world.answersAreLost();
    await edit(`${kind} first`);
    await world.drain();
    await edit(`${kind} second`);
    let theirs: unknown;
    const between = async () => {
      await replaced();
      theirs = (await record())['image'];
    };
    if (kind === 'contract-only') await between();
    world.onChanges(async (request, pass) => {
      if (theirs === undefined) await between();
      return pass(request);
    });
    world.device.pass(10 * 60_000);
    await world.drain();
    await world.drain();
    expect((await record())['image']).toBe(theirs);
    expect((await world.waiting())[0]).toMatchObject({ state: 'attention', reason: { code: 'conflict' } });
  });

  test('that is replaced twice in a row by oneself asks nothing', async () => {
    const { world, about, record } = await partnerOn(kind, `${kind} own`);
    const base = baseOf(partners, await record());
    const edit = (mark: string) =>
      world.save({ op: 'update', ...about, values: base.values, files: [photo(mark, 'image')], base });
    world.answersAreLost();
    await edit(`${kind} one`);
    await world.drain();
    await edit(`${kind} two`);
    await world.linkReturns();
    expect(await world.waiting()).toEqual([]);
    expect(await world.done()).toHaveLength(3);
  });
});
