import { beforeEach, describe, expect, test } from 'vitest';
import { BATCH_ANSWER_TYPE } from '../../src/domain/protocol/batch.ts';
import { CAPABILITIES_PATH, type Capabilities } from '../../src/domain/protocol/capabilities.ts';
import { queueState } from '../../src/offline/outbox/queries.ts';
import { drain } from '../../src/offline/sender/drain.ts';
import { readMeta } from '../../src/offline/storage/meta.ts';
import { editOf, generatorDraft, hashOf, photo } from './support/drafts.ts';
import { cut, json, OfflineWorld, page } from './support/offline-world.ts';

type Pass = (request: Request) => Promise<Response>;

let world: OfflineWorld;
/** What went out, reads of records aside. */
let log: string[];

beforeEach(async () => {
  world = await OfflineWorld.begin('together');
  log = [];
  onRequests((request, pass) => pass(request));
});

function onRequests(wire: (request: Request, pass: Pass) => Promise<Response>): void {
  world.device.wire = async (request, pass) => {
    const { pathname } = new URL(request.url);
    if (request.method !== 'GET' || pathname.startsWith('/api/changes')) log.push(`${request.method} ${pathname}`);
    return wire(request, pass);
  };
}

/** Something happens to the batches; everything else passes. */
function onBatches(wire: (request: Request, pass: Pass) => Promise<Response>): void {
  onRequests(async (request, pass) => (isBatch(request) ? wire(request, pass) : pass(request)));
}

function isBatch({ method, url }: Request): boolean {
  return method === 'POST' && new URL(url).pathname === '/api/changes';
}

async function saveAll(...marks: string[]): Promise<void> {
  for (const mark of marks) await world.save(generatorDraft(mark));
}

/** The first lines of an answer, and then the connection is gone. */
async function firstLines(answer: Response, count: number): Promise<Response> {
  const lines = (await answer.text()).split('\n').slice(0, count);
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(new TextEncoder().encode(`${lines.join('\n')}\n{"key":"cut of`)),
    pull: (stream) => stream.error(new TypeError('terminated')),
  });
  return new Response(body, { status: answer.status, headers: answer.headers });
}

/** An answer in which each change gets the same. */
function eachAnswered(keys: readonly string[], status: number, message: string): Response {
  const lines = keys.map((key) => `${JSON.stringify({ key, status, body: { message } })}\n`);
  return new Response(lines.join(''), { headers: { 'Content-Type': BATCH_ANSWER_TYPE } });
}

/** Each of them is on the server exactly once, and its receipt tells the right row. */
async function expectOnce(...marks: string[]): Promise<void> {
  const done = await world.done();
  for (const mark of marks) {
    const [row, ...others] = await world.generators(mark);
    expect(others).toEqual([]);
    const receipt = done.find(
      ({ change }) => 'values' in change && change.values['brand'] === `Brand ${mark}`,
    )?.receipt;
    expect([mark, receipt?.serverId]).toEqual([mark, row?.id]);
  }
}

describe('changes that are ready together', () => {
  test('go in one request, with their small files, and each has its own receipt', async () => {
    await saveAll('b1', 'b2', 'b3');
    await world.drain();
    expect(log).toEqual(['POST /api/changes']);
    expect(await world.waiting()).toEqual([]);
    await expectOnce('b1', 'b2', 'b3');
    const [row] = await world.generators('b2');
    const record = await world.ask<{ images: { image: string }[] }>(`/api/get-single-generator/${row?.id}`);
    expect(await world.backend.receivedSha256(record.images[0]?.image ?? '')).toBe(await hashOf(photo('b2-0')));
  });

  test('wait for nobody where there is but one: it goes by its own call', async () => {
    await saveAll('single');
    await world.drain();
    expect(log).toEqual(['POST /api/create-generator']);
  });

  test('stop nobody where one is refused', async () => {
    await saveAll('r1');
    const refused = await world.save({
      ...generatorDraft('r2'),
      values: { ...generatorDraft('r2').values, brand: '' },
    });
    await saveAll('r3');
    await world.drain();
    expect(log).toEqual(['POST /api/changes']);
    await expectOnce('r1', 'r3');
    const waiting = await world.waiting();
    expect(waiting).toMatchObject([{ id: refused.id, state: 'attention', reason: { status: 422 } }]);
    expect(waiting[0]?.reason?.errors).toHaveProperty('brand');
  });

  test('keep the answers that came before a cut; what became of the rest is asked in one question', async () => {
    await saveAll('c1', 'c2', 'c3', 'c4');
    onBatches(async (request, pass) => firstLines(await pass(request), 2));
    await world.drain();
    expect(await world.done()).toHaveLength(2);
    expect(await world.waiting()).toMatchObject([{ delivery: ['attempt'] }, { delivery: ['attempt'] }]);
    log = [];
    onRequests((request, pass) => pass(request));
    world.device.pass(60_000);
    await world.drain();
    expect(log).toEqual(['GET /api/changes']);
    expect(await world.waiting()).toEqual([]);
    await expectOnce('c1', 'c2', 'c3', 'c4');
  });

  test('go together again at once where answers came before a cut', async () => {
    await saveAll('t1', 't2', 't3');
    onBatches(async (request, pass) => firstLines(await pass(request), 1));
    await world.drain();
    log = [];
    onRequests((request, pass) => pass(request));
    await saveAll('t4', 't5');
    world.device.pass(3_000);
    await world.drain();
    expect(log).toEqual(['GET /api/changes', 'POST /api/changes']);
    await expectOnce('t1', 't2', 't3', 't4', 't5');
  });

  test('go one by one for ten seconds after a batch that nobody answered, and for five minutes after one that failed', async () => {
    const alone = async (mark: string, answer: () => Response, rest: number) => {
      await saveAll(`${mark}1`, `${mark}2`);
      onBatches(async () => answer());
      await world.drain();
      onRequests((request, pass) => pass(request));
      log = [];
      world.device.pass(rest - 1_000);
      await world.drain();
      const first = log.filter((line) => line.startsWith('POST'));
      log = [];
      world.device.pass(1_000);
      await saveAll(`${mark}3`, `${mark}4`);
      await world.drain();
      return [...first, '', ...log];
    };
    const expected = ['POST /api/create-generator', 'POST /api/create-generator', '', 'POST /api/changes'];
    expect(await alone('silent', cut, 10_000)).toEqual(expected);
    expect(await alone('failed', json(500, { message: 'Broken.' }), 5 * 60_000)).toEqual(expected);
  });

  test('each wait as long as the answer of its own says', async () => {
    await saveAll('w1', 'w2');
    const [first, second] = await world.waiting();
    const line = (entry: typeof first, retryAfter: number) =>
      JSON.stringify({ key: entry?.idempotencyKey, status: 409, body: { code: 'in-flight' }, retryAfter });
    onBatches(async () => {
      const headers = { 'Content-Type': 'application/x-ndjson' };
      return new Response(`${line(first, 20)}\n${line(second, 90)}\n`, { headers });
    });
    await world.drain();
    const now = world.page.now();
    expect((await world.waiting()).map(({ notBefore = 0 }) => notBefore - now)).toEqual([20_000, 90_000]);
  });

  test('are asked for by key where a line of the answer cannot be read', async () => {
    await saveAll('a', 'b', 'c');
    onBatches(async (request, pass) => {
      const answer = await pass(request);
      const [first, , ...others] = (await answer.text()).split('\n');
      const { status, headers } = answer;
      return new Response([first, '{"key":<html>', ...others].join('\n'), { status, headers });
    });
    await world.drain();
    expect((await world.waiting()).every(({ state }) => state === 'pending')).toBe(true);
    onRequests((request, pass) => pass(request));
    await world.linkReturns();
    expect(await world.waiting()).toEqual([]);
    for (const mark of ['a', 'b', 'c']) expect(await world.generators(mark)).toHaveLength(1);
  });

  test('wait for the link where what became of them was asked and not understood', async () => {
    await saveAll('o1', 'o2');
    onBatches(async (request, pass) => {
      await pass(request);
      return cut();
    });
    await world.drain();
    log = [];
    const odd = json(400, { message: 'What is this?' });
    onRequests(async (request, pass) => (request.method === 'GET' && log.length > 0 ? odd() : pass(request)));
    world.device.pass(60_000);
    await world.drain();
    expect(log).toEqual(['GET /api/changes']);
    expect(await world.waiting()).toMatchObject([
      { state: 'pending', delivery: ['attempt'] },
      { state: 'pending', delivery: ['attempt'] },
    ]);
    expect(await readMeta(world.page.outbox, 'pause')).toMatchObject({ cause: 'unreachable' });
    onRequests((request, pass) => pass(request));
    await world.linkReturns();
    await expectOnce('o1', 'o2');
  });

  test('are sent once more where the server got none of them', async () => {
    await saveAll('l1', 'l2');
    onBatches(async () => cut());
    await world.drain();
    log = [];
    onRequests((request, pass) => pass(request));
    world.device.pass(60_000);
    await world.drain();
    expect(log).toEqual(['GET /api/changes', 'POST /api/changes']);
    await expectOnce('l1', 'l2');
  });

  test.each([
    ['a proxy that takes no request so large', page(413)],
    ['a server that does not understand it', json(400, { message: 'What is this?' })],
  ])('go one by one after %s has refused the batch', async (what, answer) => {
    const marks = ['x1', 'x2'].map((mark) => mark + what.length);
    await saveAll(...marks);
    onBatches(async () => answer());
    await world.drain();
    expect(log).toEqual(['POST /api/changes', 'POST /api/create-generator', 'POST /api/create-generator']);
    expect(await world.waiting()).toEqual([]);
    await expectOnce(...marks);
  });

  test('fetch a new cookie where a back end behind a gateway has let theirs expire', async () => {
    await saveAll('e1', 'e2');
    const keys = (await world.waiting()).map(({ idempotencyKey }) => idempotencyKey);
    let renewed = false;
    onRequests(async (request, pass) => {
      renewed ||= new URL(request.url).pathname === '/api/user';
      return isBatch(request) && !renewed ? eachAnswered(keys, 419, 'CSRF token mismatch.') : pass(request);
    });
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ attempts: 0 }, { attempts: 0 }]);
    world.device.pass(60_000);
    await world.drain();
    expect(log).toEqual(['POST /api/changes', 'POST /api/changes']);
    expect(await world.waiting()).toEqual([]);
    await expectOnce('e1', 'e2');
  });

  test('wait for a sign-in together, and none of them counts as tried', async () => {
    await saveAll('s1', 's2');
    onBatches(async () => json(401, { message: 'Unauthenticated.' })());
    await world.drain();
    expect(await world.waiting()).toMatchObject([
      { state: 'pending', attempts: 0 },
      { state: 'pending', attempts: 0 },
    ]);
  });

  test('leave out what the device has lost', async () => {
    await saveAll('f1', 'f2', 'f3');
    const [, second] = await world.waiting();
    await world.page.outbox.files
      .toCollection()
      .filter(({ entryId }) => entryId === second?.id)
      .delete();
    await world.drain();
    expect(await world.waiting()).toMatchObject([
      { id: second?.id, state: 'attention', reason: { code: 'file-lost' } },
    ]);
    await expectOnce('f1', 'f3');
  });

  test('leave out what is about a record that never came to be', async () => {
    await saveAll('a1', 'a2');
    const recordId = 'local-00000000-0000-4000-8000-ffffffffffff';
    const base = { version: 'any', values: generatorDraft('gone').values, imageIds: [] };
    const { values } = generatorDraft('gone');
    const lost = await world.save({ op: 'update', resource: 'generators', recordId, values, files: [], base });
    await saveAll('a3');
    await world.drain();
    await expectOnce('a1', 'a2', 'a3');
    expect(await world.waiting()).toMatchObject([{ id: lost.id, state: 'attention', reason: { code: 'gone' } }]);
  });

  test('leave out what was edited in the last moment, which goes as it is now', async () => {
    const edited = await world.save(generatorDraft('moment1'));
    await saveAll('moment2', 'moment3');
    const { cookie } = world.page;
    let asked = false;
    const meanwhile = async (name: string) => {
      if (!asked) {
        asked = true;
        await world.save(editOf(edited, { origin: 'Spain' }));
      }
      return cookie(name);
    };
    await drain({ ...world.page, cookie: meanwhile, handOver: () => undefined });
    expect(await world.waiting()).toEqual([]);
    await expectOnce('moment1', 'moment2', 'moment3');
    const [row] = await world.generators('moment1');
    expect(await world.ask(`/api/get-single-generator/${row?.id}`)).toMatchObject({ origin: 'Spain' });
  });

  test('wait together where nothing but a portal answers, and none is tried by itself', async () => {
    await saveAll('q1', 'q2');
    world.device.wire = async (request, pass) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/api/capabilities') return pass(request);
      log.push(`${request.method} ${pathname}`);
      return page(403)();
    };
    await world.drain();
    expect(log).toEqual(['POST /api/changes', 'GET /healthz']);
    expect(await queueState(world.page)).toMatchObject({ pause: { cause: 'unreachable' }, waiting: 2 });
    onRequests((request, pass) => pass(request));
    await world.linkReturns();
    await expectOnce('q1', 'q2');
  });

  test('are no more at once than the link carries in a few seconds, with their photos', async () => {
    for (const mark of ['p1', 'p2', 'p3', 'p4']) {
      const [sheet, first] = generatorDraft(mark).files;
      if (sheet === undefined || first === undefined) throw new Error('The draft has no files.');
      const large = { ...first, blob: new Blob([first.blob, new Uint8Array(100 * 1024)]) };
      await world.save({ ...generatorDraft(mark), files: [sheet, large] });
    }
    await world.drain();
    expect(log).toEqual(['POST /api/changes', 'POST /api/changes']);
    await expectOnce('p1', 'p2', 'p3', 'p4');
  });

  test('are no more than the server takes at once', async () => {
    const marks = Array.from({ length: 60 }, (_, index) => `many${index}`);
    await saveAll(...marks);
    await world.drain();
    expect(log).toEqual(['POST /api/changes', 'POST /api/changes']);
    expect(await world.waiting()).toEqual([]);
  });
});

describe('batches one behind the other', () => {
  const MARKS = ['b1', 'b2', 'b3', 'b4', 'b5', 'b6'];

  /** Two changes in each; `held` is what happens to the second and the third, whose requests are handed over. */
  async function begin(mark: string, held: (batch: number, request: Request, pass: Pass) => Promise<Response>) {
    await saveAll(...MARKS.map((name) => mark + name));
    let batch = 0;
    onRequests(async (request, pass) => {
      if (new URL(request.url).pathname === CAPABILITIES_PATH) return twoAtOnce(await pass(request));
      if (!isBatch(request)) return pass(request);
      batch += 1;
      return held(batch, request, pass);
    });
  }

  async function twoAtOnce(answer: Response): Promise<Response> {
    const told = (await answer.json()) as Capabilities;
    return Response.json({ ...told, batches: { maxChanges: 2, maxBytes: 1024 * 1024 } });
  }

  /** Resolves when it is called. */
  function gate() {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { open, opened };
  }

  test('the first goes alone; then one goes out before the one ahead of it was answered', async () => {
    const third = gate();
    const underWay: number[] = [];
    let open = 0;
    await begin('p', async (batch, request, pass) => {
      open += 1;
      underWay.push(open);
      if (batch === 3) third.open();
      if (batch === 2) await third.opened;
      const answer = await pass(request);
      open -= 1;
      return answer;
    });
    await world.drain();
    expect(underWay).toEqual([1, 1, 2]);
    expect(await world.waiting()).toEqual([]);
    await expectOnce(...MARKS.map((name) => `p${name}`));
  });

  test('what the server tells one of them to wait is heeded, whatever good the other brings later', async () => {
    const third = gate();
    await begin('w', async (batch, request, pass) => {
      if (batch === 3) {
        third.open();
        return json(429, { message: 'Too many.' }, { 'Retry-After': '60' })();
      }
      if (batch === 2) {
        await third.opened;
        await expect.poll(() => readMeta(world.page.outbox, 'pause')).toMatchObject({ cause: 'busy' });
      }
      return pass(request);
    });
    await world.drain();
    expect(log).toEqual(['POST /api/changes', 'POST /api/changes', 'POST /api/changes']);
    expect(await readMeta(world.page.outbox, 'pause')).toMatchObject({ cause: 'busy', failures: 1 });
    expect(await world.waiting()).toHaveLength(2);
    onRequests((request, pass) => pass(request));
    await world.linkReturns(61_000);
    await expectOnce(...MARKS.map((name) => `w${name}`));
  });

  test.each([
    [
      'to wait a minute',
      429,
      { cause: 'busy', failures: 1 },
      json(429, { message: 'Too many.' }, { 'Retry-After': '60' }),
    ],
    ['that nobody is signed in', 401, { cause: 'signed-out' }, json(401, { message: 'Unauthenticated.' })],
  ] as const)(
    'told %s, it is not let go sooner by what the other one is told later',
    async (_what, status, told, answer) => {
      const third = gate();
      await begin(`s${status}`, async (batch, request, pass) => {
        if (batch === 1) return pass(request);
        if (batch === 3) {
          third.open();
          return answer();
        }
        await third.opened;
        await expect.poll(() => readMeta(world.page.outbox, 'pause')).toMatchObject(told);
        return json(429, { message: 'Too many.' }, { 'Retry-After': '5' })();
      });
      await world.drain();
      const pause = await readMeta(world.page.outbox, 'pause');
      expect(pause).toMatchObject(told);
      expect(pause?.until).toBe(status === 401 ? undefined : world.device.time + 60_000);
    },
  );

  test('a cut of both is one failure, and each change is there once when the link returns', async () => {
    const third = gate();
    await begin('k', async (batch, request, pass) => {
      if (batch === 1) return pass(request);
      if (batch === 3) third.open();
      else await third.opened;
      await pass(request);
      return cut();
    });
    await world.drain();
    expect(await readMeta(world.page.outbox, 'pause')).toMatchObject({ cause: 'unreachable', failures: 1 });
    expect(await world.waiting()).toHaveLength(4);
    await world.linkReturns();
    expect(await world.waiting()).toEqual([]);
    await expectOnce(...MARKS.map((name) => `k${name}`));
  });

  test('both end before the sender gives way', async () => {
    const third = gate();
    let stopped = false;
    await begin('e', async (batch, request, pass) => {
      if (batch === 3) third.open();
      if (batch === 2) {
        await third.opened;
        // a worker whose time is over
        void drain(world.page, 0);
        stopped = true;
      }
      return pass(request);
    });
    await world.drain();
    expect(stopped).toBe(true);
    expect(await world.waiting()).toEqual([]);
    expect(await world.page.outbox.entries.where('state').equals('sending').count()).toBe(0);
  });
});
