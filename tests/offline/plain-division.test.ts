import { expect, test } from 'vitest';
import { adopt } from '../../src/offline/outbox/entry-commands.ts';
import { repair } from '../../src/offline/outbox/repair.ts';
import { filesOf } from '../../src/domain/outbox/vocabulary.ts';
import { asVersion3 } from '../domain/outbox/old-shapes.ts';
import { editOf, generatorDraft, hashOf, photo } from './support/drafts.ts';
import { cut, json, OfflineWorld } from './support/offline-world.ts';

/** A stock back end takes 20 files per request: the plain transport splits a change and keeps track of its parts. */

const PATH = '/api/get-single-generator/1';

function photos(mark: string, count: number) {
  return Array.from({ length: count }, (_, index) => photo(`${mark} ${index}`));
}

async function imagesOf(world: OfflineWorld): Promise<(string | undefined)[]> {
  const { images } = await world.ask<{ images: { image: string }[] }>(PATH);
  return Promise.all(images.map(({ image }) => world.backend.receivedSha256(image)));
}

/** Loses the answers of changes that are executed, until every change is read back. */
async function settleByReadBack(world: OfflineWorld): Promise<void> {
  for (let turns = 0; turns < 12 && (await world.waiting()).length > 0; turns += 1) {
    world.answersAreLost();
    await world.drain();
    await world.linkReturns();
  }
}

test('a create whose answers are all lost exists once, with every photo once and in order', async () => {
  const world = await OfflineWorld.begin('contract-only');
  const draft = generatorDraft('lost', 44);
  await world.save(draft);
  await settleByReadBack(world);
  expect(await world.waiting()).toEqual([]);
  expect(await world.generators('lost')).toHaveLength(1);
  expect(await imagesOf(world)).toEqual(await Promise.all(draft.files.slice(1).map(hashOf)));
});

test('an adopted create, of two that the browser created, gets its remaining photos', async () => {
  const world = await OfflineWorld.begin('contract-only');
  const draft = generatorDraft('adopted', 44);
  const { id } = await world.save(draft);
  world.onChanges(async (request, pass) => {
    await pass(request.clone());
    await pass(request);
    return cut();
  });
  await world.drain();
  await world.linkReturns();
  expect(await world.waiting()).toMatchObject([{ id, candidates: [1, 2] }]);
  await adopt(world.page, id, 1);
  await world.linkReturns();
  expect(await world.waiting()).toEqual([]);
  expect(await imagesOf(world)).toEqual(await Promise.all(draft.files.slice(1).map(hashOf)));
});

test('a create whose answer names its id, as on some back ends, gets its remaining photos', async () => {
  const world = await OfflineWorld.begin('contract-only');
  const draft = generatorDraft('told', 24);
  await world.save(draft);
  world.onChanges(async (request, pass) => {
    const isCreate = request.url.includes('/api/create');
    const answer = await pass(request);
    return isCreate ? json(200, { ...((await answer.json()) as object), id: 1 })() : answer;
  });
  await world.drain();
  expect(await world.waiting()).toEqual([]);
  expect(await imagesOf(world)).toEqual(await Promise.all(draft.files.slice(1).map(hashOf)));
});

test('an edit stays one entry until all of it is delivered', async () => {
  const world = await OfflineWorld.begin('contract-only');
  const created = await world.save(generatorDraft('one'));
  await world.drain();
  const added = photos('added', 44);
  const { id } = await world.save(editOf(created, { origin: 'Spain' }, added));
  world.answersAreLost();
  await world.drain();
  const [first] = await world.waiting();
  expect(first).toMatchObject({ id, state: 'pending', delivery: ['attempt'] });
  expect(filesOf(first as NonNullable<typeof first>)).toHaveLength(44);
  await settleByReadBack(world);
  expect((await world.done()).map((entry) => entry.id)).toEqual([id, created.id]);
  expect((await imagesOf(world)).slice(1)).toEqual(await Promise.all(added.map(hashOf)));
});

test('someone else’s change between two requests of an edit is kept', async () => {
  const world = await OfflineWorld.begin('contract-only');
  const draft = generatorDraft('between');
  const created = await world.save(draft);
  await world.drain();
  await world.save(editOf(created, { origin: 'Spain' }, photos('between', 30)));
  let requests = 0;
  world.onChanges(async (request, pass) => {
    const answer = await pass(request);
    requests += 1;
    if (requests === 1) await world.elsewhere(PATH, { ...draft.values, origin: 'France' });
    return answer;
  });
  await world.drain();
  expect(await world.waiting()).toEqual([]);
  expect(requests).toBe(2);
  expect(await world.ask(PATH)).toMatchObject({ origin: 'France', images: { length: 31 } });
});

test('a repaired edit with unknown delivery is rebased on what has arrived of it', async () => {
  const world = await OfflineWorld.begin('contract-only');
  const created = await world.save(generatorDraft('laid-over'));
  await world.drain();
  const { id } = await world.save(editOf(created, { origin: 'Spain' }, [photo('lost')]));
  let tries = 0;
  world.onChanges(async (request, pass) => {
    tries += 1;
    if (tries === 10) await pass(request);
    return json(500, { message: 'Server Error' })();
  });
  while ((await world.waiting())[0]?.state !== 'attention') {
    await world.drain();
    world.device.pass(6 * 60_000);
  }
  expect(await world.waiting()).toMatchObject([{ id, delivery: ['attempt'], reason: { code: 'server-errors' } }]);
  const again = editOf(created, { origin: 'Italy' }, [photo('lost'), photo('and more')]);
  await repair(world.page, id, again, { administrator: world.me.id, title: 'Repaired' });
  await world.linkReturns();
  expect(await world.waiting()).toEqual([]);
  expect(await world.ask(PATH)).toMatchObject({ origin: 'Italy' });
  const added = [photo('lost'), photo('and more')];
  expect((await imagesOf(world)).slice(1)).toEqual(await Promise.all(added.map(hashOf)));
});

test.each(['before any was sent', 'with the first one sent'])(
  'an edit split off by an older version is sent, %s',
  async (when) => {
    const world = await OfflineWorld.begin('contract-only');
    const draft = generatorDraft('parts', 20);
    const first = await world.save({ ...draft, files: draft.files.slice(0, 20) });
    if (when === 'with the first one sent') await world.drain();
    const part = await world.save(editOf(first, {}, draft.files.slice(20)));
    const { entries } = world.page.outbox;
    const [known] = (await world.waiting()).filter(({ id }) => id === part.id);
    if (known !== undefined && part.id !== first.id)
      await entries.put({ ...asVersion3(known), partOf: first.id } as never);
    await world.drain();
    await world.linkReturns();
    expect(await world.waiting()).toEqual([]);
    expect(await imagesOf(world)).toEqual(await Promise.all(draft.files.slice(1).map(hashOf)));
  },
);

test('the rest of a create stays behind a change that an older version put after it', async () => {
  const world = await OfflineWorld.begin('contract-only');
  const draft = generatorDraft('divided', 44);
  const created = await world.save(draft);
  const { sequence, ...other } = await world.save(generatorDraft('between'));
  await world.page.outbox.entries.delete(sequence);
  await world.page.outbox.entries.add({ ...other, sequence: created.sequence + 0.5 });
  await world.drain();
  expect(await world.waiting()).toEqual([]);
  expect(await imagesOf(world)).toEqual(await Promise.all(draft.files.slice(1).map(hashOf)));
  expect(await world.generators('between')).toHaveLength(1);
});
