import { describe, expect, test } from 'vitest';
import { classify, isServers } from '../../src/domain/outbox/classify.ts';
import { withdraw } from '../../src/offline/outbox/entry-commands.ts';
import { drain } from '../../src/offline/sender/drain.ts';
import { Together } from './support/batches.ts';
import { editOf, generatorDraft } from './support/drafts.ts';
import { json, OfflineWorld } from './support/offline-world.ts';

/** Portals and proxies speak JSON too. What is not an answer of this server to this request ends no doubt. */

const STRANGERS = [
  ['a state', 200, { status: 'ok' }],
  ['an error with 403', 403, { error: 'blocked by policy' }],
] as const;

function marked(...words: readonly unknown[]): string {
  return `json ${words.join(' ')} ${Math.random().toString(36).slice(2)}`;
}

describe.each(['own', 'contract-only'] as const)('on a server of kind %s,', (kind) => {
  test.each(STRANGERS)(
    '%s in place of the answer to an executed create creates no second one',
    async (_, status, body) => {
      const mark = marked(kind, status);
      const world = await OfflineWorld.begin(kind);
      const saved = await world.save(generatorDraft(mark));
      world.answersAreLost(json(status, body));
      await world.drain();
      world.goodLink();
      if (await withdraw(world.page, saved)) await world.save(generatorDraft(mark));
      else await world.save(editOf(saved, { origin: 'Spain' }));
      await world.linkReturns();
      await world.linkReturns();
      expect(await world.generators(mark)).toHaveLength(1);
    },
  );

  test.each(STRANGERS.filter(([, status]) => status === 200))(
    '%s in place of a server that executed nothing is no confirmation',
    async (_, status, body) => {
      const mark = marked(kind, 'nothing');
      const world = await OfflineWorld.begin(kind);
      await world.save(generatorDraft(mark));
      world.answerChanges(json(status, body));
      await world.drain();
      expect(await world.waiting()).toHaveLength(1);
      world.goodLink();
      await world.linkReturns();
      await world.linkReturns();
      expect(await world.generators(mark)).toHaveLength(1);
      expect(await world.waiting()).toEqual([]);
    },
  );
});

describe('JSON in place of the answers to an executed batch', () => {
  test.each([
    ...STRANGERS,
    ['a message', 200, { message: 'Welcome.' }],
    ['a message and 403', 403, { message: 'Forbidden' }],
  ] as const)('(%s) does not let its changes be created again', async (_, status, body) => {
    const together = await Together.begin();
    const { world } = together;
    const mark = marked('batch');
    const first = await world.save(generatorDraft(`${mark}-1`));
    await world.save(generatorDraft(`${mark}-2`));
    together.answerFirstBatch(async () => {
      world.device.pass(1_000);
      return json(status, body)();
    });
    // the worker has to stop before it can send them one by one
    await drain(world.page, world.device.time + 500);
    await world.save(editOf(first, { origin: 'Spain' }));
    await world.linkReturns();
    await world.linkReturns();
    expect(await world.generators(`${mark}-1`)).toHaveLength(1);
    expect(await world.generators(`${mark}-2`)).toHaveLength(1);
    expect(await world.waiting()).toEqual([]);
  });
});

test.each([200, 201, 400, 401, 403, 404, 405, 409, 410, 412, 413, 415, 418, 422])(
  'JSON with %i that says nothing in the server’s terms is not the server’s',
  (status) => {
    for (const body of [['ok'], { status: 'ok' }, { error: 'nobody' }, { error: { message: 'Blocked' } }]) {
      const answer = { status, redirected: false, json: true, body };
      if (status >= 400) expect(isServers(answer)).toBe(false);
      expect(classify('create', answer)).toMatchObject({ kind: 'unreachable' });
    }
    const own = { status, redirected: false, json: true, body: { message: '' } };
    expect(isServers(own)).toBe(true);
    expect(classify('create', own).kind).not.toBe('unreachable');
  },
);

test('a server with keys is not taken for another one when a portal answers in JSON', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft(marked('known')));
  await world.drain();
  const mark = marked('portal');
  await world.save(generatorDraft(mark));
  const { wire } = world.device;
  for (const [status, body] of [
    [200, { status: 'ok' }],
    [404, { error: 'no such route' }],
  ] as const) {
    world.device.wire = async (request, pass) =>
      new URL(request.url).pathname === '/api/capabilities' ? json(status, body)() : wire(request, pass);
    world.device.pass(2 * 60 * 60_000);
    await world.drain();
    expect(await world.waiting()).toHaveLength(1);
  }
  await world.linkReturns();
  expect(await world.generators(mark)).toHaveLength(1);
});
