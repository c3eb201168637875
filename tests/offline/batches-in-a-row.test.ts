import { IDBObjectStore } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Capabilities, CAPABILITIES_PATH } from '../../src/domain/protocol/capabilities.ts';
import { drain } from '../../src/offline/sender/drain.ts';
import { IMAGE_CACHE } from '../../src/offline/storage/file-caches.ts';
import { readMeta } from '../../src/offline/storage/meta.ts';
import { generatorDraft } from './support/drafts.ts';
import { isBatch, type Pass, Together } from './support/batches.ts';
import { cut, json, type OfflineWorld } from './support/offline-world.ts';

let together: Together;
let world: OfflineWorld;

beforeEach(async () => {
  together = await Together.begin();
  ({ world } = together);
});

afterEach(() => vi.restoreAllMocks());

describe('consecutive batches', () => {
  const MARKS = ['b1', 'b2', 'b3', 'b4', 'b5', 'b6'];

  /** Saves two changes per batch; `held` handles the requests of the batches. */
  async function begin(
    mark: string,
    held: (batch: number, request: Request, pass: Pass) => Promise<Response>,
    names = MARKS,
  ) {
    await together.saveAll(...names.map((name) => mark + name));
    let batch = 0;
    together.onRequests(async (request, pass) => {
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

  test('send the first one alone, and then the next before the previous is answered', async () => {
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
    await together.expectOnce(...MARKS.map((name) => `p${name}`));
  });

  test('respect a wait requested for one of them, although the other succeeds later', async () => {
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
    expect(together.log).toEqual(['POST /api/changes', 'POST /api/changes', 'POST /api/changes']);
    expect(await readMeta(world.page.outbox, 'pause')).toMatchObject({ cause: 'busy', failures: 1 });
    expect(await world.waiting()).toHaveLength(2);
    together.goodLink();
    await world.linkReturns(61_000);
    await together.expectOnce(...MARKS.map((name) => `w${name}`));
  });

  test.each([
    [
      'a wait of a minute',
      429,
      { cause: 'busy', failures: 1 },
      json(429, { message: 'Too many.' }, { 'Retry-After': '60' }),
    ],
    ['a missing sign-in', 401, { cause: 'signed-out' }, json(401, { message: 'Unauthenticated.' })],
  ] as const)(
    'keep the pause for %s when the other one is told to wait for less',
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

  test('count a cut of both as one failure, and deliver each change once when the link returns', async () => {
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
    await together.expectOnce(...MARKS.map((name) => `k${name}`));
  });

  test('both finish before the sender hands over', async () => {
    const third = gate();
    let stopped = false;
    await begin('e', async (batch, request, pass) => {
      if (batch === 3) third.open();
      if (batch === 2) {
        await third.opened;
        // the worker's time is over
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

  test('send a remaining single change only after the last batch is answered', async () => {
    const marks = MARKS.slice(0, 5);
    let isOut = false;
    const handle = async (_batch: number, request: Request, pass: Pass) => {
      isOut = true;
      for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      const answer = await pass(request);
      isOut = false;
      return answer;
    };
    await begin('o', handle, marks);
    const { wire } = world.device;
    const beside: boolean[] = [];
    world.device.wire = (request, pass) => {
      if (request.method === 'POST' && !isBatch(request)) beside.push(isOut);
      return wire(request, pass);
    };
    await world.drain();
    expect(beside).toEqual([false]);
    await together.expectOnce(...marks.map((name) => `o${name}`));
  });

  test('settle the batch under way, and let what the storage could not read wait', async () => {
    const failed = gate();
    await begin('f', async (batch, request, pass) => {
      if (batch === 2) {
        vi.spyOn(world.page.outbox.files, 'get').mockImplementation((() => {
          failed.open();
          return Promise.reject(new Error('The disk is busy.'));
        }) as never);
        await failed.opened;
        for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      }
      return pass(request);
    });
    await world.drain();
    expect(await world.waiting()).toMatchObject(
      [1, 2].map(() => ({ state: 'pending', reason: { message: 'The disk is busy.' } })),
    );
  });

  test('send a deletion made during a batch in the same drain', async () => {
    await begin('d', (_batch, request, pass) => pass(request));
    await world.drain();
    const rows = await Promise.all(MARKS.map((mark) => world.generators(`d${mark}`)));
    const ids = rows.map(([row]) => String(row?.id));
    const { wire } = world.device;
    for (const [place, recordId] of ids.slice(0, 4).entries()) {
      const values = { ...generatorDraft(`d${MARKS[place]}`).values };
      const edited = { ...values, origin: 'Spain' };
      const { version } = await world.ask<{ version: string }>(`/api/get-single-generator/${recordId}`);
      const about = { op: 'update', resource: 'generators', recordId, files: [] } as const;
      await world.save({ ...about, values: edited, base: { version, values, imageIds: [] } });
    }
    let batches = 0;
    world.device.wire = async (request, pass) => {
      batches += isBatch(request) ? 1 : 0;
      if (isBatch(request) && batches === 2) {
        const waiting = await world.waiting();
        const last = waiting.at(-1);
        if (last === undefined) throw new Error('Nothing is on its way.');
        await world.save({ op: 'delete', resource: 'generators', recordId: last.change.recordId });
      }
      return wire(request, pass);
    };
    await world.drain();
    expect(batches).toBe(2);
    expect(await world.waiting()).toEqual([]);
    expect(await world.generators(`d${MARKS[3]}`)).toEqual([]);
  });

  test('keep a requested wait although the capabilities request fails meanwhile', async () => {
    const asked = gate();
    await begin('r', async (batch, request, pass) => {
      if (batch === 1) return pass(request);
      await asked.opened;
      return json(429, { message: 'Too many.' }, { 'Retry-After': '60' })();
    });
    const { wire } = world.device;
    let batches = 0;
    world.device.wire = async (request, pass) => {
      if (isBatch(request)) batches += 1;
      if (batches < 2 || isBatch(request)) return wire(request, pass);
      asked.open();
      await expect.poll(() => readMeta(world.page.outbox, 'pause')).toMatchObject({ cause: 'busy' });
      return cut();
    };
    // while the browser reports no link (perhaps wrongly), the server is asked each time
    world.device.online = false;
    await world.drain();
    expect(batches).toBe(2);
    expect(await readMeta(world.page.outbox, 'pause')).toMatchObject({
      cause: 'busy',
      until: world.device.time + 60_000,
    });
  });

  test('free space on a full device for the answers to a batch still under way', async () => {
    const given: string[] = [];
    const caches = { delete: async (name: string) => given.push(name) > 0 };
    const page = world.device.environment({ caches });
    await begin('q', async (batch, request, pass) => {
      if (batch === 1) return pass(request);
      // the worker's time is over
      void drain(page, 0);
      const answer = await pass(request);
      vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(() => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      });
      return answer;
    });
    await drain(page);
    expect(together.log).toEqual(['POST /api/changes', 'POST /api/changes']);
    expect(given).toEqual([IMAGE_CACHE]);
    expect(await page.outbox.entries.where('state').equals('sending').count()).toBe(0);
  });
});
