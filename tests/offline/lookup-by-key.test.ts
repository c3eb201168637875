import { describe, expect, test } from 'vitest';
import { CHANGES_PATH } from '../../src/domain/protocol/capabilities.ts';
import { exportQueue } from '../../src/offline/outbox/export.ts';
import { queueState } from '../../src/offline/outbox/queries.ts';
import { repair } from '../../src/offline/outbox/repair.ts';
import { editOf, generatorDraft } from './support/drafts.ts';
import { cut, json, OfflineWorld, page } from './support/offline-world.ts';

const about = { administrator: '1', title: 'Mended' };

/** A change that the server has executed, and whose answer was lost. */
async function unheard(mark: string): Promise<OfflineWorld> {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft(mark));
  world.answersAreLost();
  await world.drain();
  expect(await world.waiting()).toMatchObject([{ state: 'pending', delivery: ['attempt'] }]);
  world.sent.length = 0;
  return world;
}

/** Answers lookups by key with these; everything else passes. */
function answerQuestions(world: OfflineWorld, ...answers: readonly (() => Response)[]): void {
  const left = [...answers];
  const { wire } = world.device;
  world.device.wire = async (request, pass) =>
    new URL(request.url).pathname.startsWith(CHANGES_PATH) ? (left.shift()?.() ?? pass(request)) : wire(request, pass);
}

describe('a change whose answer was lost', () => {
  test('is looked up by its key, and its files are not sent again', async () => {
    const world = await unheard('asked');
    await world.linkReturns(60_000);
    expect(world.sent).toEqual([]);
    const [own] = await world.generators('asked');
    expect(await world.done()).toMatchObject([{ state: 'done', receipt: { serverId: own?.id } }]);
    expect(await world.page.outbox.files.count()).toBe(0);
  });

  test('is done even if its files were lost since', async () => {
    const world = await unheard('lost-since');
    await world.page.outbox.files.clear();
    await world.linkReturns(60_000);
    expect(await world.waiting()).toEqual([]);
    expect(await world.generators('lost-since')).toHaveLength(1);
  });

  test('is not sent again when a portal’s page comes instead of the lookup’s answer', async () => {
    const world = await unheard('portal-by-key');
    world.goodLink();
    world.sent.length = 0;
    answerQuestions(world, page(404), page(404));
    world.device.pass(60_000);
    await world.drain();
    expect(world.sent).toEqual([]);
    expect(await world.waiting()).toMatchObject([{ state: 'pending', delivery: ['attempt'] }]);
  });

  test('is sent again when it had not arrived', async () => {
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

  test('is sent again when it was exported, since the copy may have been repaired', async () => {
    const world = await unheard('copied');
    await exportQueue(world.page, world.me.id);
    await world.linkReturns(60_000);
    expect(world.sent).toHaveLength(1);
    expect(await world.generators('copied')).toHaveLength(1);
    expect(await world.waiting()).toEqual([]);
  });

  test('is sent again when an older version of the app stored it, which did not record repairs', async () => {
    const world = await unheard('older');
    await world.page.outbox.entries.toCollection().modify((entry: { schema: number }) => {
      entry.schema = 2;
    });
    await world.linkReturns(60_000);
    expect(world.sent).toHaveLength(1);
    expect(await world.waiting()).toEqual([]);
  });

  test('is sent again when it was repaired under its key, since the server must report which payload arrived', async () => {
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

describe('a lookup by key', () => {
  test('of a change that is being executed makes that change wait, not the queue', async () => {
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
    ['no answer', cut, 'unreachable'],
    ['a sign-in', json(401, { message: 'Unauthenticated.' }), 'signed-out'],
    ['a request to wait', json(429, { message: 'Too Many Attempts.' }, { 'retry-after': '9' }), 'busy'],
  ] as const)('answered with %s keeps the delivery unknown and pauses the queue', async (mark, answer, cause) => {
    const world = await unheard(`question ${mark}`);
    world.goodLink();
    answerQuestions(world, answer);
    world.device.pass(60_000);
    await world.drain();
    expect(world.sent).toEqual([]);
    expect(await world.waiting()).toMatchObject([{ state: 'pending', delivery: ['attempt'], attempts: 1 }]);
    expect((await queueState(world.page)).pause).toMatchObject({ cause });
  });
});

describe('a refusal of an edit with unknown delivery', () => {
  /** An edit whose first attempt got no answer, and whose second one gets `status`. */
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

  test.each([412, 403, 422])('with %i is not believed while the first request is still in progress', async (status) => {
    const { world, edit } = await refused(status, `under-way-${status}`);
    answerQuestions(world, inFlight);
    await world.drain();
    const { id, idempotencyKey } = edit;
    expect(await world.waiting()).toMatchObject([{ id, idempotencyKey, state: 'pending', delivery: ['attempt'] }]);
    await world.linkReturns();
    expect(await world.waiting()).toEqual([]);
    expect(world.sent.at(-1)).toMatchObject({ key: idempotencyKey });
  });

  test('is not believed when the first request was executed, and the edit is sent under its key', async () => {
    const { world, edit } = await refused(412, 'carried-out');
    answerQuestions(world, json(200, { message: 'Updated.' }));
    await world.drain();
    const { id, idempotencyKey } = edit;
    expect(await world.waiting()).toMatchObject([{ id, idempotencyKey, state: 'pending', delivery: ['attempt'] }]);
  });

  test('is believed when the server does not know its key', async () => {
    const { world, edit } = await refused(403, 'not-there');
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ id: edit.id, state: 'attention', delivery: [] }]);
  });

  test('waits when the lookup gets no answer', async () => {
    const { world, edit } = await refused(412, 'untold');
    answerQuestions(world, cut);
    await world.drain();
    const { id, idempotencyKey } = edit;
    expect(await world.waiting()).toMatchObject([{ id, idempotencyKey, state: 'pending', delivery: ['attempt'] }]);
  });
});
