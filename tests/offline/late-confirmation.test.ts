import { afterEach, expect, test, vi } from 'vitest';
import { notIn } from '../../src/api/confirmed-overlay.ts';
import { baseOf, baseOfView } from '../../src/domain/outbox/base.ts';
import { overlayRecord } from '../../src/domain/outbox/optimistic-view.ts';
import type { ServerRecord } from '../../src/domain/resource.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { generatorDraft } from './support/drafts.ts';
import { OfflineWorld } from './support/offline-world.ts';

const generators = resourceOf('generators');

afterEach(() => {
  vi.restoreAllMocks();
});

test('a form opened over a late confirmation does not revert someone else’s change', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('late'));
  await world.drain();
  const [own] = await world.generators('late');
  const recordId = String(own?.id);
  const path = `/api/get-single-generator/${recordId}`;
  const base = baseOf(generators, await world.ask<ServerRecord>(path));
  const edit = { op: 'update', resource: 'generators', recordId, files: [] } as const;
  await world.save({ ...edit, values: { ...base.values, origin: 'Spain' }, base });
  world.answersAreLost();
  await world.drain();
  world.goodLink();
  expect(await world.elsewhere(path, { ...base.values, origin: 'Spain', capacity: '500 kVA' })).toBe(200);
  // the record is read with both changes in it before the lost answer is looked up
  world.device.pass(60_000);
  const fetchedAt = world.device.time;
  const record = await world.ask<ServerRecord>(path);
  await world.linkReturns();
  expect(await world.waiting()).toEqual([]);
  vi.spyOn(Date, 'now').mockReturnValue(world.device.time);
  const view = overlayRecord(
    generators,
    record,
    { entries: notIn((await world.done()).toReversed(), fetchedAt) },
    recordId,
  );
  vi.restoreAllMocks();
  expect(view.values).toMatchObject({ origin: 'Spain', capacity: '100 kVA' });
  await world.save({ ...edit, values: { ...view.values, engine_model: 'E-9' }, base: baseOfView(view) });
  await world.linkReturns();
  expect(await world.ask(path)).toMatchObject({ engine_model: 'E-9', capacity: '500 kVA' });
});
