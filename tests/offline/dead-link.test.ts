import { describe, expect, test } from 'vitest';
import { linkReturned } from '../../src/offline/outbox/entry-commands.ts';
import { writeMeta } from '../../src/offline/storage/meta.ts';
import { generatorDraft } from './support/drafts.ts';
import { cut, json, OfflineWorld, page } from './support/offline-world.ts';
import { untilSettled } from './support/until-settled.ts';

describe('an answer from something other than the server', () => {
  test.each([
    ['a captive portal’s page', page()],
    ['a redirect to a login page', () => new Response(null, { status: 302, headers: { location: '/login' } })],
  ])('%s is not a success', async (_name, answer) => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('portal'));
    world.answerChanges(answer);
    expect(await world.drain()).toHaveProperty('until');
    expect(await world.waiting()).toMatchObject([{ state: 'pending', reason: { code: 'unreachable' } }]);
    world.device.pass(10 * 60_000);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
  });

  test('a portal is detected before anything is sent', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('portal-first'));
    world.device.wire = async () => page()();
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ state: 'pending', attempts: 0 }]);
    world.goodLink();
    world.device.pass(10 * 60_000);
    await world.drain();
    expect(await world.done()).toHaveLength(1);
  });

  test('a page in the server’s place is never mistaken for a stock back end', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('known'));
    await world.drain();
    await world.save(generatorDraft('unknown'));
    world.device.pass(2 * 3_600_000);
    world.device.wire = async (request, pass) =>
      new URL(request.url).pathname === '/api/capabilities' ? page(404)() : pass(request);
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ state: 'pending', attempts: 0 }]);
  });
});

describe.each(['own', 'contract-only'] as const)(
  'a proxy that refuses one change with a page, in front of a server of kind %s',
  (kind) => {
    test.each([
      [413, 'too-large'],
      [403, 'blocked'],
    ])('%i: the change waits for the administrator, and those behind it are sent', async (status, code) => {
      const world = await OfflineWorld.begin(kind);
      await world.save(generatorDraft(`proxy-${status}-refused`));
      await world.save(generatorDraft(`proxy-${status}-behind`));
      world.answerChanges(page(status));
      await world.drain();
      expect(await world.waiting()).toMatchObject([{ state: 'attention', reason: { code, status } }]);
      expect(await world.generators(`proxy-${status}-behind`)).toHaveLength(1);
    });

    test('has refused nothing when every request gets the same page', async () => {
      const world = await OfflineWorld.begin(kind);
      await world.save(generatorDraft('proxy-everything'));
      let carried = 0;
      world.device.wire = async (request, pass) => {
        if (request.method === 'POST') carried += 1;
        return carried > 0 ? page(403)() : pass(request);
      };
      await world.drain();
      expect(await world.waiting()).toMatchObject([{ state: 'pending', reason: { code: 'unreachable' } }]);
    });
  },
);

describe('a change too large for the link', () => {
  /** Cuts the change with this mark while it is sent; all others arrive. */
  function cutOnly(world: OfflineWorld, mark: string): void {
    world.onChanges(async (request, pass) => {
      const form = await request.clone().formData();
      return form.get('brand') === `Brand ${mark}` ? cut() : pass(request);
    });
  }

  test('lets the others go first', async () => {
    const world = await OfflineWorld.begin();
    const large = await world.save(generatorDraft('carry-large'));
    cutOnly(world, 'carry-large');
    for (const mark of ['carry-one', 'carry-two', 'carry-three']) await world.save(generatorDraft(mark));
    await world.drain();
    world.device.pass(2_000);
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ id: large.id, state: 'pending', attempts: 1 }]);
  });

  test('does not delay later changes more and more', async () => {
    const world = await OfflineWorld.begin();
    const large = await world.save(generatorDraft('carry-for-hours'));
    cutOnly(world, 'carry-for-hours');
    for (let tries = 0; tries < 20; tries += 1) {
      const { until = 0 } = await world.drain();
      world.device.pass(until - world.device.time);
    }
    await world.drain();
    await world.save(generatorDraft('carry-late'));
    world.device.pass(2_000);
    await world.drain();
    expect((await world.waiting()).map(({ id }) => id)).toEqual([large.id]);
  });

  test('takes turns with another one', async () => {
    const world = await OfflineWorld.begin();
    const saved = [await world.save(generatorDraft('carry-turn-1')), await world.save(generatorDraft('carry-turn-2'))];
    world.onChanges(async () => cut());
    for (let tries = 0; tries < 8; tries += 1) {
      const { until = 0 } = await world.drain();
      world.device.pass(until - world.device.time);
    }
    const [first, second] = await world.waiting();
    expect([first?.id, second?.id]).toEqual(saved.map(({ id }) => id));
    expect(Math.abs((first?.attempts ?? 0) - (second?.attempts ?? 0))).toBeLessThanOrEqual(1);
  });

  test('is tried again at once when the browser reports that the link is back', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('carry-back'));
    world.onChanges(async () => cut());
    await world.drain();
    world.goodLink();
    await linkReturned(world.page);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
  });
});

describe('a dead link', () => {
  test('pauses the whole queue after one attempt, so that a thousand changes do not each time out', async () => {
    const world = await OfflineWorld.begin();
    for (const mark of ['one', 'two', 'three']) await world.save(generatorDraft(mark));
    world.onChanges(async () => cut());
    const { until } = await world.drain();
    expect(until).toBe(world.device.time + 1_500);
    expect(world.sent).toHaveLength(1);
    expect((await world.waiting()).map(({ attempts }) => attempts)).toEqual([1, 0, 0]);
  });

  test('is tried again with a small read before anything large is sent', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('probe'));
    world.onChanges(async () => cut());
    await world.drain();
    world.device.wire = async () => cut();
    world.device.pass(60_000);
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ attempts: 1 }]);
  });

  test('is tried with a small read even for a change that was not tried before', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('known-server'));
    await world.drain();
    const { time } = world.device;
    await writeMeta(world.page.outbox, 'pause', { cause: 'unreachable', since: time, until: time + 1000, failures: 1 });
    await world.save(generatorDraft('never-tried', 2));
    const asked: string[] = [];
    world.device.wire = async (request) => {
      asked.push(`${request.method} ${new URL(request.url).pathname}`);
      return cut();
    };
    world.device.pass(1000);
    await world.drain();
    expect(asked).toEqual(['GET /api/capabilities']);
    expect(await world.waiting()).toMatchObject([{ attempts: 0 }]);
  });

  test('is used at once when it returns', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('back'));
    world.device.wire = async () => cut();
    await world.drain();
    world.goodLink();
    await linkReturned(world.page);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
  });

  test('is tried even when the browser reports it as offline, which may be wrong', async () => {
    const world = await OfflineWorld.begin();
    world.device.online = false;
    await world.save(generatorDraft('denied'));
    await world.drain();
    expect(await world.waiting()).toEqual([]);
  });

  test('times out when it stalls, later for larger requests', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const draft = generatorDraft('stall');
    const large = { ...draft, files: [{ ...draft.files[0], blob: new Blob([new Uint8Array(1_600_000)]) }] };
    await world.save(large as never);
    world.onChanges(() => new Promise(() => {}));
    const drained = world.drain();
    await expect.poll(() => world.sent).toHaveLength(1);
    expect(await untilSettled(drained, () => world.device.pass(10_000), 20)).toEqual({ passes: 13 });
    expect(await world.waiting()).toMatchObject([{ state: 'pending', reason: { code: 'no-answer' } }]);
  });
});

describe('a change without an anti-forgery cookie', () => {
  test.each([
    ['nothing', cut],
    ['a captive portal’s page', page()],
    ['a server under maintenance', json(503, { message: 'Service Unavailable' })],
  ])('fetches one first, even after %s came instead', async (_what, answer) => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('no-cookie'));
    world.device.cookies.clear();
    world.device.wire = async (request, pass) => {
      const response = await pass(request);
      if (new URL(request.url).pathname === '/api/user') return answer();
      // only the small read brings a cookie
      response.headers.delete('set-cookie');
      return request.method === 'POST' ? cut() : response;
    };
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ state: 'pending', attempts: 1 }]);
    await world.linkReturns();
    world.device.cookies.clear();
    world.sent.length = 0;
    await world.save(generatorDraft('next'));
    await world.drain();
    expect(world.sent.map(({ fields }) => fields.get('brand'))).toEqual(['Brand next']);
    expect(await world.waiting()).toEqual([]);
  });

  test('does not fetch one each time from a server that sets none', async () => {
    const world = await OfflineWorld.begin();
    world.device.cookies.clear();
    const asked: string[] = [];
    world.device.wire = async (request, pass) => {
      asked.push(new URL(request.url).pathname);
      const response = request.method === 'POST' ? json(422, { message: 'No.', errors: {} })() : await pass(request);
      response.headers.delete('set-cookie');
      return response;
    };
    for (const mark of ['cookieless-1', 'cookieless-2']) {
      await world.save(generatorDraft(mark));
      await world.drain();
    }
    expect(asked.filter((path) => path === '/api/user')).toHaveLength(1);
  });
});

test('an answer that stalls within its body times out and does not block the queue', async () => {
  const world = await OfflineWorld.begin();
  await world.save(generatorDraft('stalled-body'));
  let stalled = 0;
  world.onChanges(async (request, pass) => {
    const { status, headers } = await pass(request);
    const body = new ReadableStream({
      start: (controller) => request.signal.addEventListener('abort', () => controller.error(request.signal.reason)),
      pull: () => void (stalled += 1),
    });
    return new Response(body, { status, headers });
  });
  const drained = world.drain();
  await expect.poll(() => stalled).toBeGreaterThan(0);
  world.device.pass(60_000);
  expect(await drained).toHaveProperty('until');
  expect(await world.waiting()).toMatchObject([{ state: 'pending', reason: { code: 'no-answer' } }]);
  await world.linkReturns();
  expect(await world.waiting()).toEqual([]);
  expect(await world.generators('stalled-body')).toHaveLength(1);
});
