import { describe, expect, test } from 'vitest';
import { adopt, retry } from '../../src/offline/outbox/entry-commands.ts';
import { exportQueue } from '../../src/offline/outbox/export.ts';
import { repair } from '../../src/offline/outbox/repair.ts';
import { baseOf } from '../../src/domain/outbox/base.ts';
import type { ServerRecord } from '../../src/domain/resource.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { editOf, generatorDraft, photo } from './support/drafts.ts';
import { cut, json, OfflineWorld } from './support/offline-world.ts';

/** A stock back end cannot report what became of a create: whatever happens, it is created once and loses nothing. */

const about = { administrator: '1', title: 'Mended' };
const PATH = '/api/get-single-generator/1';
const DELETE_IT = { op: 'delete', resource: 'generators', recordId: '1' } as const;
const failing = json(500, { message: 'Server Error' });

async function brands(world: OfflineWorld): Promise<string[]> {
  const rows = await world.ask<{ brand: string }[]>('/api/get-generators');
  return rows.map(({ brand }) => brand);
}

/** A create that has arrived with an unknown outcome: the server reported an error. */
async function inDoubt(mark: string) {
  const world = await OfflineWorld.begin('contract-only');
  const draft = generatorDraft(mark);
  const create = await world.save(draft);
  world.answersAreLost(failing);
  await world.drain();
  world.goodLink();
  return { world, draft, create };
}

/** The same after someone has edited the record: the administrator is asked which row it is. */
async function asked(mark: string) {
  const begun = await inDoubt(mark);
  await begun.world.elsewhere(PATH, { ...begun.draft.values, origin: 'France' });
  await begun.world.linkReturns();
  expect(await begun.world.waiting()).toMatchObject([{ reason: { code: 'several-candidates' }, candidates: [1] }]);
  return begun;
}

/** The record as a screen shows it. */
async function seen(world: OfflineWorld) {
  return baseOf(resourceOf('generators'), await world.ask<ServerRecord>(PATH));
}

/** Counts reads of the list of generators from now on. */
function countReads(world: OfflineWorld): () => number {
  let reads = 0;
  world.device.wire = async (request, pass) => {
    if (new URL(request.url).pathname === '/api/get-generators') reads += 1;
    return pass(request);
  };
  return () => reads;
}

describe('a create with unknown delivery', () => {
  test('that timed out is not created again while the server may still be working on it', async () => {
    const world = await OfflineWorld.begin('contract-only');
    await world.save(generatorDraft('timed-out'));
    let arrive: (() => Promise<unknown>) | undefined;
    world.onChanges((request, pass) => {
      arrive ??= () => pass(request);
      return new Promise(() => {});
    });
    const drained = world.drain();
    await expect.poll(() => arrive !== undefined).toBe(true);
    world.device.pass(30_100);
    await drained;
    world.goodLink();
    world.device.pass(2_000);
    await world.drain();
    await arrive?.();
    await world.linkReturns();
    expect(await brands(world)).toEqual(['Brand timed-out']);
  });

  test('is found before a waiting deletion of its row is sent, and not created again', async () => {
    const world = await OfflineWorld.begin('contract-only');
    await world.save(generatorDraft('deleted'));
    world.answersAreLost();
    await world.drain();
    await world.save({ op: 'delete', resource: 'generators', recordId: '1' });
    let reads = 0;
    world.device.wire = async (request, pass) => {
      const isList = new URL(request.url).pathname === '/api/get-generators';
      return isList && (reads += 1) === 1 ? json(500, { message: 'Server Error' })() : pass(request);
    };
    world.device.pass(10 * 60_000);
    await world.drain();
    await world.linkReturns();
    expect(await brands(world)).toEqual([]);
    expect(await world.done()).toMatchObject([{ change: { op: 'delete' } }, { receipt: { serverId: 1 } }]);
  });

  test('holds back changes to a row that may be its own while the list cannot be read', async () => {
    const world = await OfflineWorld.begin('contract-only');
    await world.save(generatorDraft('held'));
    world.answersAreLost();
    await world.drain();
    await world.save({ op: 'delete', resource: 'generators', recordId: '1' });
    world.device.wire = async (request, pass) =>
      new URL(request.url).pathname === '/api/get-generators'
        ? json(500, { message: 'Server Error' })()
        : pass(request);
    world.device.pass(10 * 60_000);
    await world.drain();
    expect(await brands(world)).toEqual(['Brand held']);
    expect(await world.waiting()).toMatchObject([{ delivery: ['attempt'] }, { state: 'pending', attempts: 0 }]);
  });

  test('counts as delivered when another administrator on this device edits and deletes its row', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const { id } = await world.save(generatorDraft('shared'));
    world.answersAreLost();
    await world.drain();
    world.goodLink();
    world.me = await world.device.signIn(world.page, world.backend.accounts[1]);
    const base = await seen(world);
    const values = { ...base.values, origin: 'France' };
    await world.save({ op: 'update', resource: 'generators', recordId: '1', values, files: [], base });
    await world.linkReturns();
    await world.save({ op: 'delete', resource: 'generators', recordId: '1' });
    await world.drain();
    world.me = await world.device.signIn(world.page);
    await world.linkReturns();
    expect(await brands(world)).toEqual([]);
    expect(await world.waiting()).toEqual([]);
    expect(await world.done()).toMatchObject([{ id, receipt: { serverId: 1 } }]);
  });

  test('that someone has renamed is recognized by its picture, and the administrator is asked', async () => {
    const { world, draft } = await inDoubt('renamed');
    await world.elsewhere(PATH, { ...draft.values, brand: 'Other', generator_model: 'Other', origin: 'France' });
    await world.linkReturns();
    expect(await brands(world)).toEqual(['Other']);
    expect(await world.waiting()).toMatchObject([{ reason: { code: 'several-candidates' }, candidates: [1] }]);
  });

  test('is not looked for when a changed row is too old to be its own', async () => {
    const world = await OfflineWorld.begin('contract-only');
    await world.save(generatorDraft('old'));
    await world.drain();
    await world.page.outbox.identities.clear();
    for (const mark of ['one', 'two', 'three']) await world.save(generatorDraft(mark));
    await exportQueue(world.page, world.me.id);
    world.me = await world.device.signIn(world.page, world.backend.accounts[1]);
    await world.save({ op: 'delete-image', resource: 'generators', recordId: '1', imageId: 1, image: 'x' });
    const reads = countReads(world);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(reads()).toBe(0);
  });

  test('keeps a repair made while it is looked for', async () => {
    const world = await OfflineWorld.begin('contract-only');
    await world.save(generatorDraft('other'));
    await world.drain();
    const draft = generatorDraft('raced');
    const { id } = await world.saveAndLoseFiles(draft);
    await world.save({ ...DELETE_IT, recordId: '2' });
    let mended = false;
    world.device.wire = async (request, pass) => {
      const answer = await pass(request);
      if (!mended && new URL(request.url).pathname === '/api/get-generators') {
        mended = true;
        await repair(world.page, id, { ...draft, values: { ...draft.values, capacity: '200 kVA' } }, about);
      }
      return answer;
    };
    await world.drain();
    expect(mended).toBe(true);
    const all = [...(await world.waiting()), ...(await world.done())];
    const mendings = all.filter(({ change }) => 'values' in change && change.values['capacity'] === '200 kVA');
    expect(mendings).not.toEqual([]);
  });
});

describe('a change to the row of a create with unknown delivery', () => {
  test('does not overtake an earlier change of the record', async () => {
    const { world, draft, create } = await inDoubt('order');
    await world.save(editOf(create, { origin: 'Spain' }));
    const base = { values: draft.values, imageIds: [] };
    const values = { ...draft.values, capacity: '9 kVA' };
    await world.save({ ...DELETE_IT, op: 'update', values, files: [], base });
    world.sent.length = 0;
    await world.linkReturns();
    expect(world.sent.map(({ fields }) => fields.get('origin'))).toEqual(['Spain', 'Spain']);
    expect(await world.ask(PATH)).toMatchObject({ origin: 'Spain', capacity: '9 kVA' });
  });

  test('that deletes the row makes earlier changes moot', async () => {
    const { world, create } = await inDoubt('moot');
    await world.save(editOf(create, { origin: 'Spain' }));
    await world.save(DELETE_IT);
    await world.drain();
    await world.linkReturns();
    expect(await world.waiting()).toEqual([]);
    expect(await brands(world)).toEqual([]);
  });

  test('waits while the administrator is asked whether the row is the record', async () => {
    const { world, draft, create } = await inDoubt('question');
    await world.elsewhere(PATH, { ...draft.values, origin: 'France' });
    await world.save({ ...DELETE_IT, base: await seen(world) });
    await world.linkReturns();
    expect(await brands(world)).toEqual(['Brand question']);
    expect(await world.waiting()).toMatchObject([{ candidates: [1] }, { change: { op: 'delete' }, attempts: 0 }]);
    await adopt(world.page, create.id, 1);
    await world.linkReturns();
    expect(await brands(world)).toEqual([]);
    expect(await world.waiting()).toEqual([]);
  });

  test('continues when the record is said to be none of the rows', async () => {
    const { world, create } = await asked('none');
    await world.save({ ...DELETE_IT, base: await seen(world) });
    await retry(world.page, create.id);
    await world.linkReturns();
    expect(await brands(world)).toEqual(['Brand none']);
    expect(await world.waiting()).toEqual([]);
  });
});

test('an edit with unknown delivery is not sent again while its first request may still be processed', async () => {
  const world = await OfflineWorld.begin('contract-only');
  const draft = generatorDraft('edit-at-work');
  await world.save(draft);
  await world.drain();
  const base = await seen(world);
  const values = { ...base.values, origin: 'Spain' };
  await world.save({ ...DELETE_IT, op: 'update', values, files: [], base });
  const arrive = world.delayFirst(cut);
  await world.drain();
  world.goodLink();
  world.sent.length = 0;
  world.device.pass(10_000);
  await world.drain();
  expect(world.sent).toEqual([]);
  await arrive();
  await world.linkReturns();
  expect(world.sent).toEqual([]);
  expect(await world.waiting()).toEqual([]);
  expect(await world.ask(PATH)).toMatchObject({ origin: 'Spain' });
});

describe('a repaired create', () => {
  test('waits for the answer while the administrator is asked which row it is', async () => {
    const { world, draft, create } = await asked('mended');
    await repair(world.page, create.id, { ...draft, values: { ...draft.values, capacity: '200 kVA' } }, about);
    await world.drain();
    expect(await brands(world)).toEqual(['Brand mended']);
    await adopt(world.page, create.id, 1);
    await world.linkReturns();
    expect(await world.ask(PATH)).toMatchObject({ capacity: '200 kVA', origin: 'France' });
    expect(await world.waiting()).toEqual([]);
  });

  test('that is found in its earlier form is followed by the repair', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const draft = generatorDraft('adopted');
    const { id } = await world.saveAndLoseFiles(draft);
    const files = [...draft.files, photo('more')];
    await repair(world.page, id, { ...draft, values: { ...draft.values, capacity: '200 kVA' }, files }, about);
    await world.linkReturns();
    expect(await world.done()).toMatchObject([{ change: { op: 'update' } }, { id, receipt: { serverId: 1 } }]);
    expect(await world.ask(PATH)).toMatchObject({ capacity: '200 kVA', images: { length: 2 } });
    expect(await world.waiting()).toEqual([]);
    expect(await world.page.outbox.files.count()).toBe(0);
  });
});
