import { describe, expect, test } from 'vitest';
import { adopt, retry } from '../../src/offline/outbox/entry-commands.ts';
import { baseOf } from '../../src/domain/outbox/base.ts';
import type { ServerRecord } from '../../src/domain/resource.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { generatorDraft, hashOf, photo } from './support/drafts.ts';
import { cut, json, OfflineWorld } from './support/offline-world.ts';

/** A stock back end has no keys and no versions, and answers a create without an id. */

async function brands(world: OfflineWorld): Promise<string[]> {
  const rows = await world.ask<{ brand: string }[]>('/api/get-generators');
  return rows.map(({ brand }) => brand);
}

/** The browser repeats each request on its own. `seen` is the answer received, by default the second one. */
function arrivesTwice(world: OfflineWorld, seen?: () => Response): void {
  world.onChanges(async (request, pass) => {
    await pass(request.clone());
    const answer = await pass(request);
    return seen?.() ?? answer;
  });
}

describe('a create', () => {
  test('gets its id from the list', async () => {
    const world = await OfflineWorld.begin('contract-only');
    await world.save(generatorDraft('id'));
    await world.drain();
    const [receipt] = await world.done();
    expect(receipt?.receipt).toMatchObject({ message: 'Generator Created Successfully', serverId: 1 });
    expect(receipt?.receipt).not.toHaveProperty('duplicates');
  });

  test.each([
    ['the answer was cut', cut],
    ['a 500 was seen', json(500, { message: 'Server Error' })],
    ['a 503 was seen', json(503, { message: 'Busy.' }, { 'retry-after': '1' })],
    ['an empty answer was seen', () => new Response('', { headers: { 'content-type': 'application/json' } })],
  ])('that arrived although %s is found and not sent again', async (_how, seen) => {
    const world = await OfflineWorld.begin('contract-only');
    await world.save(generatorDraft('found'));
    world.answersAreLost(seen);
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ state: 'pending', delivery: ['attempt'] }]);
    await world.linkReturns();
    expect(await brands(world)).toEqual(['Brand found']);
    expect(await world.done()).toMatchObject([{ receipt: { serverId: 1 } }]);
    expect(world.sent).toHaveLength(1);
  });

  test('that did not arrive is sent again once it can no longer be under way', async () => {
    const world = await OfflineWorld.begin('contract-only');
    await world.save(generatorDraft('again'));
    world.onChanges(async () => cut());
    await world.drain();
    const cutAt = world.device.time;
    world.goodLink();
    world.device.pass(4_000);
    expect(await world.drain()).toEqual({ until: cutAt + 30_000 });
    expect(world.sent).toHaveLength(1);
    world.device.pass(26_000);
    await world.drain();
    expect(await brands(world)).toEqual(['Brand again']);
  });

  test('is told apart from someone else’s new record', async () => {
    const world = await OfflineWorld.begin('contract-only');
    await world.save(generatorDraft('mine'));
    world.onChanges(async () => cut());
    await world.drain();
    world.goodLink();
    const other = await OfflineWorld.begin('contract-only');
    other.device.wire = (request) => world.backend.handle(request);
    const session = await other.device.signIn(other.page);
    other.me = session;
    await other.save(generatorDraft('theirs'));
    await other.drain();
    world.device.pass(10 * 60_000);
    await world.drain();
    expect(await brands(world)).toEqual(['Brand theirs', 'Brand mine']);
  });

  test('that someone edited before it was found needs a decision, and is not created again', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const draft = generatorDraft('edited');
    await world.save(draft);
    world.answersAreLost();
    await world.drain();
    await world.elsewhere('/api/get-single-generator/1', { ...draft.values, origin: 'France' });
    await world.linkReturns();
    expect(await brands(world)).toEqual(['Brand edited']);
    expect(await world.waiting()).toMatchObject([{ reason: { code: 'several-candidates' }, candidates: [1] }]);
  });

  test('that someone edited before its id was read is still found', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const draft = generatorDraft('raced');
    await world.save(draft);
    world.onChanges(async (request, pass) => {
      const response = await pass(request);
      await world.elsewhere('/api/get-single-generator/1', { ...draft.values, origin: 'France' });
      return response;
    });
    await world.drain();
    expect(await world.done()).toMatchObject([{ receipt: { serverId: 1 } }]);
  });

  test('that the browser repeated reports the duplicate, and removes nothing', async () => {
    const world = await OfflineWorld.begin('contract-only');
    await world.save(generatorDraft('twin'));
    arrivesTwice(world);
    await world.drain();
    expect(await world.done()).toMatchObject([{ receipt: { serverId: 1, duplicates: [2] } }]);
    expect(await brands(world)).toEqual(['Brand twin', 'Brand twin']);
  });

  test('with several candidate rows asks, and adopts the chosen one', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const { id } = await world.save(generatorDraft('several'));
    arrivesTwice(world, cut);
    await world.drain();
    await world.linkReturns();
    expect(await world.waiting()).toMatchObject([
      { state: 'attention', reason: { code: 'several-candidates' }, candidates: [1, 2] },
    ]);
    await adopt(world.page, id, 2);
    expect(await world.waiting()).toEqual([]);
    expect(await world.done()).toMatchObject([{ receipt: { serverId: 2 } }]);
  });

  test('is sent again when the administrator says that no row is its own', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const { id } = await world.save(generatorDraft('none'));
    arrivesTwice(world, cut);
    await world.drain();
    await world.linkReturns();
    await retry(world.page, id);
    await world.drain();
    expect(await world.done()).toMatchObject([{ receipt: { serverId: 3 } }]);
  });

  test('in a paged list is found on a server that ignores the page number', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const values = { client_name: 'C', type: 'Generator', capacity: '', project_name: 'P', description: 'one\ntwo' };
    await world.save({ op: 'create', resource: 'projects', values, files: [photo('logo', 'image'), photo('site')] });
    world.answersAreLost();
    await world.drain();
    await world.linkReturns();
    expect(await world.done()).toMatchObject([{ receipt: { serverId: 1 } }]);
    expect(world.sent).toHaveLength(1);
  });
});

describe('an edit that adds images', () => {
  async function withRecord() {
    const world = await OfflineWorld.begin('contract-only');
    await world.save(generatorDraft('images'));
    await world.drain();
    world.sent.length = 0;
    const path = '/api/get-single-generator/1';
    const base = baseOf(resourceOf('generators'), await world.ask<ServerRecord>(path));
    const edit = { op: 'update', resource: 'generators', recordId: '1', base } as const;
    const add = (values: Record<string, string>, files: ReturnType<typeof photo>[]) =>
      world.save({ ...edit, values: { ...base.values, ...values }, files });
    const stored = async () => {
      const { images = [] } = await world.ask<ServerRecord>(path);
      return Promise.all(images.map(({ image }) => world.backend.receivedSha256(image)));
    };
    return { world, add, stored };
  }

  test('does not add again what has arrived', async () => {
    const { world, add, stored } = await withRecord();
    await add({ origin: 'Spain' }, [photo('new')]);
    world.answersAreLost();
    await world.drain();
    await world.linkReturns();
    expect(await world.waiting()).toEqual([]);
    expect(await stored()).toEqual([await hashOf(photo('images-0')), await hashOf(photo('new'))]);
    expect(world.sent).toHaveLength(1);
  });

  test('adds once what has not arrived', async () => {
    const { world, add, stored } = await withRecord();
    await add({}, [photo('new')]);
    world.onChanges(async () => cut());
    await world.drain();
    await world.linkReturns();
    expect(await stored()).toHaveLength(2);
  });

  test('does not mistake a page for a picture that could not be read', async () => {
    const { world, add, stored } = await withRecord();
    await add({}, [photo('new')]);
    world.answersAreLost();
    await world.drain();
    const page = () => new Response('<p>Welcome</p>', { headers: { 'content-type': 'text/html' } });
    world.device.wire = async (request, pass) => (request.url.includes('/uploads/') ? page() : pass(request));
    world.device.pass(10 * 60_000);
    await world.drain();
    await world.linkReturns();
    expect(await stored()).toHaveLength(2);
  });

  test('keeps two equal photos apart', async () => {
    const { world, add, stored } = await withRecord();
    await add({}, [photo('same'), photo('same')]);
    world.answersAreLost();
    await world.drain();
    await world.linkReturns();
    expect(await stored()).toHaveLength(3);
  });
});

test('recognizes a stock back end by its 404, even with an HTML page', async () => {
  const world = await OfflineWorld.begin('contract-only');
  await world.save(generatorDraft('pages'));
  world.device.wire = async (request, pass) => {
    if (new URL(request.url).pathname !== '/api/capabilities') return pass(request);
    return new Response('<p>Not Found</p>', { status: 404, headers: { 'content-type': 'text/html' } });
  };
  await world.drain();
  expect(await world.done()).toMatchObject([{ receipt: { serverId: 1 } }]);
});

test('sends nothing while the list cannot be read before the first attempt', async () => {
  const world = await OfflineWorld.begin('contract-only');
  await world.save(generatorDraft('no-list'));
  world.device.wire = async (request, pass) =>
    new URL(request.url).pathname === '/api/get-generators' ? cut() : pass(request);
  await world.drain();
  expect(await world.waiting()).toMatchObject([{ state: 'pending', attempts: 0 }]);
  expect(await brands(world)).toEqual([]);
});
