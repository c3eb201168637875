import { expect, test } from 'vitest';
import { baseOf } from '../../src/domain/outbox/base.ts';
import type { ServerRecord } from '../../src/domain/resource.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { generatorDraft, hashOf, photo } from './support/drafts.ts';
import { cut, OfflineWorld } from './support/offline-world.ts';

/** On a stock back end, a row with the same texts is nobody's proof, and texts come back as the newest Laravel trims them. */

const PATH = '/api/get-single-generator/1';

test('a create that never arrived is not taken for someone else’s equal row, and keeps its photos', async () => {
  const world = await OfflineWorld.begin('contract-only');
  const draft = generatorDraft('equal');
  world.onChanges(async () => cut());
  await world.save(draft);
  await world.drain();
  const others = [...draft.files.slice(0, 1), photo('of a colleague')];
  expect(await world.elsewhere('/api/create-generator', draft.values, others)).toBe(200);
  await world.linkReturns();
  expect(await world.waiting()).toMatchObject([{ state: 'attention', candidates: [1] }]);
  expect(await world.page.outbox.files.count()).toBe(2);
});

test('a create that arrived is recognized by its photo, without a question', async () => {
  const world = await OfflineWorld.begin('contract-only');
  const draft = generatorDraft('arrived');
  world.answersAreLost();
  await world.save(draft);
  await world.drain();
  await world.linkReturns();
  expect(await world.waiting()).toEqual([]);
  const { images = [] } = await world.ask<ServerRecord>(PATH);
  const stored = await Promise.all(images.map(({ image }) => world.backend.receivedSha256(image)));
  expect(stored).toEqual(await Promise.all(draft.files.slice(1).map(hashOf)));
});

test.each(['\u200b', '\u00ad', '\u2800', '\u{e0020}'])(
  'two edits of a field in a row, the first ending in %j, are nobody else’s conflict',
  async (invisible) => {
    const world = await OfflineWorld.begin('contract-only');
    await world.save(generatorDraft('trimmed'));
    await world.drain();
    await world.linkReturns();
    const base = baseOf(resourceOf('generators'), await world.ask<ServerRecord>(PATH));
    const about = { op: 'update', resource: 'generators', recordId: '1', files: [] } as const;
    const first = { ...base.values, origin: `Spain${invisible}` };
    world.answersAreLost();
    await world.save({ ...about, values: first, base });
    await world.drain();
    await world.save({ ...about, values: { ...first, origin: 'France' }, base: { ...base, values: first } });
    await world.linkReturns();
    await world.linkReturns();
    expect(await world.waiting()).toEqual([]);
    expect(await world.ask(PATH)).toMatchObject({ origin: 'France' });
  },
);
