import { beforeEach, describe, expect, test } from 'vitest';
import { queueState } from '../../src/offline/outbox/queries.ts';
import { drain } from '../../src/offline/sender/drain.ts';
import { readMeta } from '../../src/offline/storage/meta.ts';
import { heavyDraft } from './support/drafts.ts';
import { eachAnswered, firstLines, isBatch, Together } from './support/batches.ts';
import { cut, json, type OfflineWorld, page } from './support/offline-world.ts';

let together: Together;
let world: OfflineWorld;

beforeEach(async () => {
  together = await Together.begin();
  ({ world } = together);
});

describe('changes sent in one batch', () => {
  test('keep the answers received before a cut, and look up the rest in one request', async () => {
    await together.saveAll('c1', 'c2', 'c3', 'c4');
    together.onBatches(async (request, pass) => firstLines(await pass(request), 2));
    await world.drain();
    expect(await world.done()).toHaveLength(2);
    expect(await world.waiting()).toMatchObject([{ delivery: ['attempt'] }, { delivery: ['attempt'] }]);
    together.log = [];
    together.goodLink();
    world.device.pass(60_000);
    await world.drain();
    expect(together.log).toEqual(['GET /api/changes']);
    expect(await world.waiting()).toEqual([]);
    await together.expectOnce('c1', 'c2', 'c3', 'c4');
  });

  test('go together again at once when some answers came before the cut', async () => {
    await together.saveAll('t1', 't2', 't3');
    together.onBatches(async (request, pass) => firstLines(await pass(request), 1));
    await world.drain();
    together.log = [];
    together.goodLink();
    await together.saveAll('t4', 't5');
    world.device.pass(3_000);
    await world.drain();
    expect(together.log).toEqual(['GET /api/changes', 'POST /api/changes']);
    await together.expectOnce('t1', 't2', 't3', 't4', 't5');
  });

  test('go one by one for ten seconds after an unanswered batch, and for five minutes after a failed one', async () => {
    const alone = async (mark: string, answer: () => Response, rest: number) => {
      await together.saveAll(`${mark}1`, `${mark}2`);
      together.onBatches(async () => answer());
      await world.drain();
      together.goodLink();
      together.log = [];
      world.device.pass(rest - 1_000);
      await world.drain();
      const first = together.log.filter((line) => line.startsWith('POST'));
      together.log = [];
      world.device.pass(1_000);
      await together.saveAll(`${mark}3`, `${mark}4`);
      await world.drain();
      return [...first, '', ...together.log];
    };
    const expected = ['POST /api/create-generator', 'POST /api/create-generator', '', 'POST /api/changes'];
    expect(await alone('silent', cut, 10_000)).toEqual(expected);
    expect(await alone('failed', json(500, { message: 'Broken.' }), 5 * 60_000)).toEqual(expected);
  });

  test('each wait as long as their own answer says', async () => {
    await together.saveAll('w1', 'w2');
    const [first, second] = await world.waiting();
    const line = (entry: typeof first, retryAfter: number) =>
      JSON.stringify({ key: entry?.idempotencyKey, status: 409, body: { code: 'in-flight' }, retryAfter });
    together.onBatches(async () => {
      const headers = { 'Content-Type': 'application/x-ndjson' };
      return new Response(`${line(first, 20)}\n${line(second, 90)}\n`, { headers });
    });
    await world.drain();
    const now = world.page.now();
    expect((await world.waiting()).map(({ notBefore = 0 }) => notBefore - now)).toEqual([20_000, 90_000]);
  });

  test('are looked up by key when a line of the answer is unreadable', async () => {
    await together.saveAll('a', 'b', 'c');
    together.onBatches(async (request, pass) => {
      const answer = await pass(request);
      const [first, , ...others] = (await answer.text()).split('\n');
      const { status, headers } = answer;
      return new Response([first, '{"key":<html>', ...others].join('\n'), { status, headers });
    });
    await world.drain();
    expect((await world.waiting()).every(({ state }) => state === 'pending')).toBe(true);
    together.goodLink();
    await world.linkReturns();
    expect(await world.waiting()).toEqual([]);
    for (const mark of ['a', 'b', 'c']) expect(await world.generators(mark)).toHaveLength(1);
  });

  test('keep their messages intact when the answer is split inside a character', async () => {
    await together.saveAll('u1', 'u2');
    together.onBatches(async (request, pass) => {
      const answer = await pass(request);
      const text = (await answer.text()).replaceAll('Successfully', 'für immer ✓');
      const bytes = new TextEncoder().encode(text);
      const body = new ReadableStream<Uint8Array>({
        start: (stream) => {
          for (let at = 0; at < bytes.length; at += 1) stream.enqueue(bytes.slice(at, at + 1));
          stream.close();
        },
      });
      return new Response(body, { status: answer.status, headers: answer.headers });
    });
    await world.drain();
    const messages = (await world.done()).map(({ receipt }) => receipt?.message);
    expect(messages).toEqual(['Generator Created für immer ✓', 'Generator Created für immer ✓']);
  });

  test('are settled although the answer includes an unknown key', async () => {
    await together.saveAll('k1', 'k2');
    together.onBatches(async (request, pass) => {
      const answer = await pass(request);
      const stranger = JSON.stringify({ key: 'of-somebody-else', status: 200, body: { message: 'Done.' } });
      return new Response(`${stranger}\n${await answer.text()}`, { status: answer.status, headers: answer.headers });
    });
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    await together.expectOnce('k1', 'k2');
  });

  test('have a longer time-out when there is more to send', async () => {
    for (const mark of ['g1', 'g2']) await world.save(heavyDraft(mark, 100 * 1024));
    together.onBatches(async (request, pass) => {
      const answer = await pass(request);
      // 200 kB at 16 bytes per millisecond add 12.5 s to the minimum of half a minute
      world.device.pass(40_000);
      return answer;
    });
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    await together.expectOnce('g1', 'g2');
  });

  test('wait for the link when the lookup is not understood', async () => {
    await together.saveAll('o1', 'o2');
    together.onBatches(async (request, pass) => {
      await pass(request);
      return cut();
    });
    await world.drain();
    together.log = [];
    const odd = json(400, { message: 'What is this?' });
    together.onRequests(async (request, pass) =>
      request.method === 'GET' && together.log.length > 0 ? odd() : pass(request),
    );
    world.device.pass(60_000);
    await world.drain();
    expect(together.log).toEqual(['GET /api/changes']);
    expect(await world.waiting()).toMatchObject([
      { state: 'pending', delivery: ['attempt'] },
      { state: 'pending', delivery: ['attempt'] },
    ]);
    expect(await readMeta(world.page.outbox, 'pause')).toMatchObject({ cause: 'unreachable' });
    together.goodLink();
    await world.linkReturns();
    await together.expectOnce('o1', 'o2');
  });

  test('are sent again when the server received none of them', async () => {
    await together.saveAll('l1', 'l2');
    together.onBatches(async () => cut());
    await world.drain();
    together.log = [];
    together.goodLink();
    world.device.pass(60_000);
    await world.drain();
    expect(together.log).toEqual(['GET /api/changes', 'POST /api/changes']);
    await together.expectOnce('l1', 'l2');
  });

  test.each([
    ['a proxy that takes no request so large', page(413)],
    ['a server that does not understand it', json(400, { message: 'What is this?' })],
  ])('go one by one after %s has refused the batch', async (what, answer) => {
    const marks = ['x1', 'x2'].map((mark) => mark + what.length);
    await together.saveAll(...marks);
    together.onBatches(async () => answer());
    await world.drain();
    const posts = together.log.filter((request) => request.startsWith('POST'));
    expect(posts).toEqual(['POST /api/changes', 'POST /api/create-generator', 'POST /api/create-generator']);
    expect(await world.waiting()).toEqual([]);
    await together.expectOnce(...marks);
  });

  test('fetch a new cookie when a back end behind a gateway reports theirs as expired', async () => {
    await together.saveAll('e1', 'e2');
    const keys = (await world.waiting()).map(({ idempotencyKey }) => idempotencyKey);
    let renewed = false;
    together.onRequests(async (request, pass) => {
      renewed ||= new URL(request.url).pathname === '/api/user';
      return isBatch(request) && !renewed ? eachAnswered(keys.map((key) => [key, 419])) : pass(request);
    });
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ attempts: 0 }, { attempts: 0 }]);
    world.device.pass(60_000);
    await world.drain();
    expect(together.log).toEqual(['POST /api/changes', 'POST /api/changes']);
    expect(await world.waiting()).toEqual([]);
    await together.expectOnce('e1', 'e2');
  });

  test('stay with a worker whose cookie a page renewed while the answers were on their way', async () => {
    await together.saveAll('n1', 'n2');
    const keys = (await world.waiting()).map(({ idempotencyKey }) => idempotencyKey);
    // a server that sets the same value again while it is valid
    let cookie = 'expired';
    let handedOver = false;
    const worker = world.device.environment({
      cookie: async () => cookie,
      handOver: () => {
        handedOver = true;
      },
    });
    together.onBatches(async () => {
      cookie = 'renewed';
      return eachAnswered(keys.map((key) => [key, 419]));
    });
    await drain(worker);
    world.device.pass(60_000);
    await drain(worker);
    expect(together.log).toEqual(['POST /api/changes', 'POST /api/changes']);
    expect(handedOver).toBe(false);
  });

  test('wait together for a sign-in, without counting the attempt', async () => {
    await together.saveAll('s1', 's2');
    together.onBatches(async () => json(401, { message: 'Unauthenticated.' })());
    await world.drain();
    expect(await world.waiting()).toMatchObject([
      { state: 'pending', attempts: 0 },
      { state: 'pending', attempts: 0 },
    ]);
  });

  test('wait together when only a portal answers, and none is tried by itself', async () => {
    await together.saveAll('q1', 'q2');
    world.device.wire = async (request, pass) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/api/capabilities') return pass(request);
      together.log.push(`${request.method} ${pathname}`);
      return page(403)();
    };
    await world.drain();
    expect(together.log).toEqual(['POST /api/changes', 'GET /healthz']);
    expect(await queueState(world.page)).toMatchObject({ pause: { cause: 'unreachable' }, waiting: 2 });
    together.goodLink();
    await world.linkReturns();
    await together.expectOnce('q1', 'q2');
  });
});
