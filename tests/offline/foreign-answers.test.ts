import { describe, expect, test } from 'vitest';
import { exportQueue, importQueue } from '../../src/offline/outbox/export.ts';
import { linkReturned, serverAnswered, withdraw } from '../../src/offline/outbox/entry-commands.ts';
import { queueState } from '../../src/offline/outbox/queries.ts';
import { drain } from '../../src/offline/sender/drain.ts';
import { Together } from './support/batches.ts';
import { Device } from './support/device.ts';
import { editOf, generatorDraft } from './support/drafts.ts';
import { cut, json, OfflineWorld, page } from './support/offline-world.ts';

/** Only the server's own word ends a doubt: whatever else answers leaves the delivery unknown until the server has told. */

const SERVERS = ['own', 'contract-only'] as const;
const REFUSED = { message: 'The given data was invalid.', errors: { series: ['The selected series is invalid.'] } };

/** The browser or a proxy repeats a request by itself: the first one is executed, and only the second one is answered. */
function repeated(world: OfflineWorld, second: () => Response): void {
  let isFirst = true;
  world.onChanges(async (request, pass) => {
    if (!isFirst) return pass(request);
    isFirst = false;
    await pass(request);
    return second();
  });
}

const REPEATS = [
  ['429', json(429, { message: 'Too Many Attempts.' }, { 'retry-after': '1' })],
  ['a page with 429', page(429)],
  ['401', json(401, { message: 'Unauthenticated.' })],
  ['425', json(425, { message: 'Too early.' })],
  ['a page with 425', page(425)],
  ['503', json(503, { message: 'Service Unavailable' })],
  ['a page with 403', page(403)],
  ['a page with 404', page(404)],
  ['a page with 500', page(500)],
] as const;

describe.each(SERVERS)('on a server of kind %s, an executed create whose repeat is answered', (kind) => {
  test.each(REPEATS)('%s is not created again when it is edited', async (what, answer) => {
    const mark = `${kind} edited ${what}`;
    const world = await OfflineWorld.begin(kind);
    const created = await world.save(generatorDraft(mark));
    repeated(world, answer);
    await world.drain();
    await world.save(editOf(created, { origin: 'Spain' }));
    if (what === '401') world.me = await world.device.signIn(world.page);
    await world.linkReturns();
    await world.linkReturns();
    expect(await world.generators(mark)).toHaveLength(1);
  });

  test.each(REPEATS)('%s is not “deleted before it was sent”', async (what, answer) => {
    const mark = `${kind} deleted ${what}`;
    const world = await OfflineWorld.begin(kind);
    const created = await world.save(generatorDraft(mark));
    repeated(world, answer);
    await world.drain();
    await world.save({ op: 'delete', resource: 'generators', recordId: created.change.recordId });
    if (what === '401') world.me = await world.device.signIn(world.page);
    await world.linkReturns();
    await world.linkReturns();
    const isGone = (await world.generators(mark)).length === 0;
    const isHeld = (await world.waiting()).some(({ change }) => change.op === 'delete');
    expect(isGone || isHeld).toBe(true);
  });
});

describe('a page in place of the answer', () => {
  test.each([403, 404, 413, 418])(
    'to an executed create (%i) does not let the form create it again',
    async (status) => {
      const mark = `form ${status}`;
      const world = await OfflineWorld.begin();
      const saved = await world.save(generatorDraft(mark));
      world.answersAreLost(page(status));
      await world.drain();
      world.goodLink();
      if (await withdraw(world.page, saved)) await world.save(generatorDraft(mark));
      await world.linkReturns();
      expect(await world.generators(mark)).toHaveLength(1);
      expect(await world.waiting()).toEqual([]);
    },
  );

  test('to a change that the server does not know holds it with nothing in doubt', async () => {
    const world = await OfflineWorld.begin();
    const saved = await world.save(generatorDraft('blocked'));
    world.answerChanges(page(403));
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ state: 'attention', reason: { code: 'blocked' }, delivery: [] }]);
    expect(await withdraw(world.page, saved)).toBe(true);
  });

  test.each(['own', 'contract-only'] as const)(
    'on a server of kind %s whose key cannot be asked for leaves the delivery unknown',
    async (kind) => {
      const world = await OfflineWorld.begin(kind);
      const saved = await world.save(generatorDraft(`${kind} unknown`));
      const lost = world.device.wire;
      world.device.wire = async (request, pass) => {
        if (request.method === 'POST') return page(403)();
        return new URL(request.url).pathname.startsWith('/api/changes') ? cut() : lost(request, pass);
      };
      await world.drain();
      expect(await world.waiting()).toMatchObject([{ delivery: ['attempt'] }]);
      expect(await withdraw(world.page, saved)).toBe(false);
    },
  );

  test.each([403, 413, 200, 503])(
    'to an executed batch (%i) does not let its changes be created again',
    async (status) => {
      const together = await Together.begin();
      const { world } = together;
      const mark = Math.random().toString(36).slice(2);
      const first = await world.save(generatorDraft(`${mark}-1`));
      await world.save(generatorDraft(`${mark}-2`));
      together.answerFirstBatch(async () => {
        await world.save(editOf(first, { origin: 'Spain' }));
        return page(status)();
      });
      await world.drain();
      await world.linkReturns();
      expect(await world.generators(`${mark}-1`)).toHaveLength(1);
      expect(await world.generators(`${mark}-2`)).toHaveLength(1);
      expect(await world.waiting()).toEqual([]);
    },
  );
});

describe('an exported create that was refused here', () => {
  async function refusedHere(mark: string) {
    const world = await OfflineWorld.begin();
    const created = await world.save(generatorDraft(mark));
    const file = await exportQueue(world.page, world.me.id);
    world.answerChanges(json(422, REFUSED));
    await world.drain();
    const remove = async () => {
      await world.save({ op: 'delete', resource: 'generators', recordId: created.change.recordId });
      await world.linkReturns();
    };
    return { world, file, remove };
  }

  test('and was sent from another device is deleted with it', async () => {
    const { world, file, remove } = await refusedHere('copy sent');
    const other = new Device(world.backend);
    const there = other.environment();
    await other.signIn(there);
    await importQueue(there, file);
    await drain(there);
    expect(await world.generators('copy sent')).toHaveLength(1);
    await remove();
    expect(await world.generators('copy sent')).toEqual([]);
    expect(await world.waiting()).toEqual([]);
  });

  test('and was sent from nowhere leaves with its deletion', async () => {
    const { world, remove } = await refusedHere('copy kept');
    await remove();
    expect(await world.waiting()).toEqual([]);
  });
});

describe('a wait that something in between orders', () => {
  const serviced = (status: number) => () =>
    new Response('<h1>This hot spot is being serviced</h1>', {
      status,
      headers: { 'content-type': 'text/html', 'retry-after': '604800' },
    });

  test.each([503, 429, 425])('with a page and %i ends after a quarter of an hour', async (status) => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft(`serviced ${status}`));
    world.answerChanges(serviced(status));
    await world.drain();
    const { pause } = await queueState(world.page);
    expect((pause?.until ?? 0) - world.device.time).toBeLessThanOrEqual(15 * 60_000);
    await world.linkReturns(15 * 60_000 + 1);
    expect(await world.waiting()).toEqual([]);
  });

  test.each([
    ['another link', linkReturned],
    ['an answer of the server', serverAnswered],
  ])('ends with %s', async (what, happens) => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft(what));
    world.answerChanges(serviced(503));
    await world.drain();
    await happens(world.page);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
  });

  test('is kept when the server itself orders it', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('own wait'));
    world.answerChanges(json(503, { message: 'Service Unavailable' }, { 'retry-after': '3600' }));
    await world.drain();
    await serverAnswered(world.page);
    await world.linkReturns(15 * 60_000 + 1);
    expect(await world.waiting()).toHaveLength(1);
  });
});
