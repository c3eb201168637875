import { describe, expect, test } from 'vitest';
import { CHANGES_PATH } from '../../src/domain/protocol/capabilities.ts';
import { exportQueue } from '../../src/offline/outbox/export.ts';
import { queueState } from '../../src/offline/outbox/queries.ts';
import { repair } from '../../src/offline/outbox/repair.ts';
import { editOf, generatorDraft } from './support/drafts.ts';
import { cut, json, OfflineWorld, page } from './support/offline-world.ts';

const about = { administrator: '1', title: 'Mended' };

/** A change that the server has carried out, and whose answer nobody heard. */
async function unheard(mark: string): Promise<OfflineWorld> {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft(mark));
  world.answersAreLost();
  await world.drain();
  expect(await world.waiting()).toMatchObject([{ state: 'pending', delivery: ['attempt'] }]);
  world.sent.length = 0;
  return world;
}

/** What is answered to questions by key; everything else passes. */
function answerQuestions(world: OfflineWorld, ...answers: readonly (() => Response)[]): void {
  const left = [...answers];
  const { wire } = world.device;
  world.device.wire = async (request, pass) =>
    new URL(request.url).pathname.startsWith(CHANGES_PATH) ? (left.shift()?.() ?? pass(request)) : wire(request, pass);
}

describe('a change whose answer was lost', () => {
  test('is asked for by its key, and its files do not go out again', async () => {
    const world = await unheard('asked');
    await world.linkReturns(60_000);
    expect(world.sent).toEqual([]);
    const [own] = await world.generators('asked');
    expect(await world.done()).toMatchObject([{ state: 'done', receipt: { serverId: own?.id } }]);
    expect(await world.page.outbox.files.count()).toBe(0);
  });

  test('is done also where its files were lost since', async () => {
    const world = await unheard('lost-since');
    await world.page.outbox.files.clear();
    await world.linkReturns(60_000);
    expect(await world.waiting()).toEqual([]);
    expect(await world.generators('lost-since')).toHaveLength(1);
  });

  test('does not go out again where a portal’s page stands for the answer', async () => {
    const world = await unheard('portal-by-key');
    world.goodLink();
    world.sent.length = 0;
    answerQuestions(world, page(404), page(404));
    world.device.pass(60_000);
    await world.drain();
    expect(world.sent).toEqual([]);
    expect(await world.waiting()).toMatchObject([{ state: 'pending', delivery: ['attempt'] }]);
  });

  test('goes out again where it had not arrived', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('never-arrived'));
    world.onChanges(async () => cut());
    await world.drain();
    world.sent.length = 0;
    await world.linkReturns(60_000);
    expect(world.sent).toHaveLength(1);
    expect(await world.generators('never-arrived')).toHaveLength(1);
    expect(await world.waiting()).toEqual([]);
  });

  test('goes out again where a queue file holds a copy: that one may have been mended', async () => {
    const world = await unheard('copied');
    await exportQueue(world.page, world.me.id);
    await world.linkReturns(60_000);
    expect(world.sent).toHaveLength(1);
    expect(await world.generators('copied')).toHaveLength(1);
    expect(await world.waiting()).toEqual([]);
  });

  test('goes out again where an older version of the app wrote it: nobody noted whether it was mended', async () => {
    const world = await unheard('older');
    await world.page.outbox.entries.toCollection().modify((entry: { schema: number }) => {
      entry.schema = 2;
    });
    await world.linkReturns(60_000);
    expect(world.sent).toHaveLength(1);
    expect(await world.waiting()).toEqual([]);
  });

  test('goes out again where it was mended under its key: which of the two has arrived is for the server to tell', async () => {
    const world = await OfflineWorld.begin();
    const draft = generatorDraft('mended');
    const entry = await world.save(draft);
    const arrive = world.delayFirst(json(422, { message: 'Refused.', errors: {} }));
    await world.drain();
    await repair(world.page, entry.id, { ...draft, values: { ...draft.values, origin: 'Spain' } }, about);
    world.answerChanges(cut);
    await world.drain();
    await arrive();
    await world.linkReturns(60_000);
    expect(await world.generators('mended')).toHaveLength(1);
    expect(await world.waiting()).toMatchObject([
      { state: 'attention', reason: { code: 'conflict' }, change: { values: { origin: 'Spain' } } },
    ]);
  });
});

describe('a question by key', () => {
  test('that finds the change being carried out makes this change wait, not the queue', async () => {
    const world = await unheard('in-flight');
    world.goodLink();
    answerQuestions(
      world,
      json(409, { message: 'The server is still working on it.', code: 'in-flight' }, { 'retry-after': '7' }),
    );
    world.device.pass(60_000);
    await world.save(generatorDraft('in-flight-other'));
    expect(await world.drain()).toEqual({ until: world.device.time + 7_000 });
    expect(await world.waiting()).toMatchObject([{ state: 'pending', delivery: ['attempt'], attempts: 1 }]);
    expect(await world.generators('in-flight-other')).toHaveLength(1);
    await world.linkReturns(7_000);
    expect(await world.waiting()).toEqual([]);
  });

  test.each([
    ['nothing', cut, 'unreachable'],
    ['a sign-in', json(401, { message: 'Unauthenticated.' }), 'signed-out'],
    ['to wait', json(429, { message: 'Too Many Attempts.' }, { 'retry-after': '9' }), 'busy'],
  ] as const)(
    'that is answered with %s leaves the change in doubt and holds the queue',
    async (mark, answer, cause) => {
      const world = await unheard(`question ${mark}`);
      world.goodLink();
      answerQuestions(world, answer);
      world.device.pass(60_000);
      await world.drain();
      expect(world.sent).toEqual([]);
      expect(await world.waiting()).toMatchObject([{ state: 'pending', delivery: ['attempt'], attempts: 1 }]);
      expect((await queueState(world.page)).pause).toMatchObject({ cause });
    },
  );
});

describe('a refusal of an edit that is in doubt', () => {
  /** An edit whose first attempt got no answer, and whose repeat is answered with `status`. */
  async function refused(status: number, mark: string) {
    const world = await OfflineWorld.begin();
    const create = await world.save(generatorDraft(mark));
    await world.drain();
    await world.save(editOf(create, { origin: 'Spain' }));
    world.onChanges(async () => cut());
    await world.drain();
    const [edit] = await world.waiting();
    if (edit === undefined) throw new Error('It has arrived.');
    expect(edit).toMatchObject({ delivery: ['attempt'] });
    world.answerChanges(json(status, { message: 'No.', code: 'version-mismatch' }));
    world.device.pass(60_000);
    return { world, edit };
  }

  const inFlight = json(409, { message: 'The server is still working on it.', code: 'in-flight' });

  test.each([412, 403, 422])('of %i is not believed where its first request is still under way', async (status) => {
    const { world, edit } = await refused(status, `under-way-${status}`);
    answerQuestions(world, inFlight);
    await world.drain();
    const { id, idempotencyKey } = edit;
    expect(await world.waiting()).toMatchObject([{ id, idempotencyKey, state: 'pending', delivery: ['attempt'] }]);
    await world.linkReturns();
    expect(await world.waiting()).toEqual([]);
    expect(world.sent.at(-1)).toMatchObject({ key: idempotencyKey });
  });

  test('is not believed where its first request was carried out, and the edit is sent under its key', async () => {
    const { world, edit } = await refused(412, 'carried-out');
    answerQuestions(world, json(200, { message: 'Updated.' }));
    await world.drain();
    const { id, idempotencyKey } = edit;
    expect(await world.waiting()).toMatchObject([{ id, idempotencyKey, state: 'pending', delivery: ['attempt'] }]);
  });

  test('is believed where the server knows nothing of it', async () => {
    const { world, edit } = await refused(403, 'not-there');
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ id: edit.id, state: 'attention', delivery: [] }]);
  });

  test('waits where nobody tells', async () => {
    const { world, edit } = await refused(412, 'untold');
    answerQuestions(world, cut);
    await world.drain();
    const { id, idempotencyKey } = edit;
    expect(await world.waiting()).toMatchObject([{ id, idempotencyKey, state: 'pending', delivery: ['attempt'] }]);
  });
});
