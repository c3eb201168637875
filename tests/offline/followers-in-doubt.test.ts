import { describe, expect, test } from 'vitest';
import { discard } from '../../src/offline/outbox/entry-commands.ts';
import type { PickedFile } from '../../src/offline/storage/files.ts';
import { editOf, generatorDraft, photo } from './support/drafts.ts';
import { isBatch } from './support/batches.ts';
import { cut, OfflineWorld } from './support/offline-world.ts';

/** What happens to a later change of a record when the one before it is confirmed or discarded. */

test('an edit whose photo was lost is held under the id of a create that has arrived', async () => {
  const world = await OfflineWorld.begin('together');
  const create = await world.save(generatorDraft('had-arrived'));
  world.answersAreLost();
  await world.drain();
  const edit = await world.save(editOf(create, { capacity: '250 kVA' }, [photo('lost')]));
  await world.page.outbox.files.clear();
  await world.linkReturns(10 * 60_000);
  const [row] = await world.generators('had-arrived');
  expect(await world.waiting()).toMatchObject([
    { id: edit.id, state: 'attention', reason: { code: 'file-lost' }, change: { recordId: String(row?.id) } },
  ]);
});

/** An edit without a version and with unknown delivery, behind one that was discarded. */
async function behindDiscarded(mark: string, files: readonly PickedFile[] = []) {
  const world = await OfflineWorld.begin('together');
  await world.save(generatorDraft(mark));
  await world.drain();
  const [row] = await world.generators(mark);
  const { values } = generatorDraft(mark);
  const base = { values, imageIds: [] };
  const about = { op: 'update', resource: 'generators', recordId: String(row?.id) } as const;
  world.device.wire = async (request, pass) => (request.method === 'POST' ? cut() : pass(request));
  const first = await world.save({ ...about, values, files: [], base });
  await world.drain();
  const second = await world.save({ ...about, values: { ...values, origin: 'Spain' }, files, base });
  world.device.wire = async (request, pass) => (isBatch(request) ? cut() : pass(request));
  world.device.pass(10 * 60_000);
  await world.drain();
  await discard(world.page, first.id);
  expect(await world.waiting()).toMatchObject([{ id: second.id, delivery: ['attempt'], discarded: [{}] }]);
  return { world, row };
}

/** Drains over a good link with at most twenty requests. */
async function drainShortly(world: OfflineWorld): Promise<void> {
  let asked = 0;
  world.device.wire = async (request, pass) => (++asked > 20 ? cut() : pass(request));
  world.device.pass(10 * 60_000);
  await world.drain();
  expect(asked).toBeLessThan(10);
}

describe('an edit with unknown delivery behind a discarded one asks once and is held', () => {
  test('when its record is gone', async () => {
    const { world, row } = await behindDiscarded('gone');
    await world.elsewhere(`/api/delete-generator/${row?.id}`, {});
    await drainShortly(world);
    expect(await world.waiting()).toMatchObject([{ state: 'attention', reason: { code: 'gone' } }]);
  });

  test('when someone else has changed the same field', async () => {
    const { world, row } = await behindDiscarded('both');
    const { values } = generatorDraft('both');
    await world.elsewhere(`/api/get-single-generator/${row?.id}`, { ...values, origin: 'Italy' });
    await drainShortly(world);
    expect(await world.waiting()).toMatchObject([
      { state: 'attention', conflict: { theirs: { values: { origin: 'Italy' } } } },
    ]);
  });

  test('when its photo was lost', async () => {
    const { world } = await behindDiscarded('photo', [photo('lost too')]);
    await world.page.outbox.files.clear();
    await drainShortly(world);
    expect(await world.waiting()).toMatchObject([{ state: 'attention', reason: { code: 'file-lost' } }]);
  });
});
