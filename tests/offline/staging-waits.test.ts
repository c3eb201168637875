import { beforeEach, describe, expect, test, vi } from 'vitest';
import { linkReturned } from '../../src/offline/outbox/entry-commands.ts';
import { queueState } from '../../src/offline/outbox/queries.ts';
import { drain } from '../../src/offline/sender/drain.ts';
import { pieceSize } from '../../src/offline/sender/link.ts';
import { readMeta } from '../../src/offline/storage/meta.ts';
import { heavyDraft } from './support/drafts.ts';
import { cut, json, OfflineWorld, page } from './support/offline-world.ts';

const KB = 1024;
const STAGING = '/api/staging';

let world: OfflineWorld;

beforeEach(async () => {
  world = await OfflineWorld.begin('own');
});

/** Answers the staging requests of one method in the server's place. */
function stagingAnswers(method: 'POST' | 'PATCH', answer: () => Response): void {
  world.device.wire = async (request, pass) =>
    request.method === method && new URL(request.url).pathname.startsWith(STAGING) ? answer() : pass(request);
}

/** How long the queue waits, and how long the file does, in milliseconds. */
async function waits() {
  const now = world.page.now();
  const [upload] = (await queueState(world.page)).travel?.uploads.values() ?? [];
  const pause = await readMeta(world.page.outbox, 'pause');
  return { queue: (pause?.until ?? now) - now, file: (upload?.notBefore ?? now) - now };
}

/** Drains over a dead link this many times. */
async function deadLink(times: number): Promise<void> {
  world.device.wire = async () => cut();
  for (let time = 0; time < times; time += 1) {
    world.device.pass(5 * 60_000);
    await world.drain();
  }
  world.device.pass(5 * 60_000);
}

describe('when a file cannot be staged', () => {
  test('the queue waits the shortest time on a link that just answered, however long it was dead before', async () => {
    await world.save(heavyDraft('dead before', 400 * KB));
    await deadLink(3);
    expect((await readMeta(world.page.outbox, 'pause'))?.failures).toBe(3);
    stagingAnswers('POST', cut);
    await world.drain();
    expect((await waits()).queue).toBe(1_500);
  });

  test('the queue waits as long as the server asks, and the file no longer', async () => {
    await world.save(heavyDraft('busy', 400 * KB));
    stagingAnswers('PATCH', json(503, { message: 'Busy.' }, { 'retry-after': '40' }));
    await world.drain();
    expect(await waits()).toEqual({ queue: 40_000, file: 0 });
  });

  test('the file backs off by itself when a portal or nothing answers', async () => {
    await world.save(heavyDraft('portal', 400 * KB));
    for (const [answer, times] of [
      [page(), 1],
      [cut, 2],
    ] as const) {
      stagingAnswers('PATCH', answer);
      await world.drain();
      expect((await waits()).file).toBe(1_500 * times);
      world.device.pass(60_000);
    }
  });

  test('the file continues at once when the link is back', async () => {
    await world.save(heavyDraft('back', 400 * KB));
    stagingAnswers('PATCH', cut);
    await world.drain();
    expect((await waits()).file).toBe(1_500);
    world.goodLink();
    await linkReturned(world.page);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
  });

  test('each sender asks for the file’s offset, since another one may have sent since', async () => {
    await world.save(heavyDraft('asks', 600 * KB));
    const calls: string[] = [];
    world.device.wire = async (request, pass) => {
      if (!new URL(request.url).pathname.startsWith(STAGING)) return pass(request);
      calls.push(request.method);
      // the first sender's time is over with its first piece
      if (calls.length === 2) world.device.time += 5_000;
      return pass(request);
    };
    await drain(world.page, world.device.time + 5_000);
    expect(calls).toEqual(['POST', 'PATCH']);
    await world.drain();
    expect(calls.slice(2, 4)).toEqual(['POST', 'PATCH']);
    expect(await world.waiting()).toEqual([]);
  });

  test('the file waits, and is not sent inside its change, when the server cannot be reached behind a refusal', async () => {
    await world.save(heavyDraft('nobody behind', 400 * KB));
    world.device.wire = async (request, pass) => {
      if (new URL(request.url).pathname === '/healthz') return cut();
      return request.method === 'PATCH' ? page(413)() : pass(request);
    };
    await world.drain();
    expect((await waits()).file).toBe(1_500);
    expect(await world.generators('nobody behind')).toEqual([]);
    await world.linkReturns();
    expect(await world.waiting()).toEqual([]);
  });

  test('only the file waits while the server has no space for it', async () => {
    await world.save(heavyDraft('no room', 400 * KB));
    await deadLink(2);
    stagingAnswers('POST', json(507, { message: 'Too much is waiting there.' }));
    await world.drain();
    expect(await waits()).toEqual({ queue: 0, file: 1_500 });
    expect(await readMeta(world.page.outbox, 'pause')).toBeUndefined();
    const { travel, lastAttemptAt } = await queueState(world.page);
    const [upload] = travel?.uploads.values() ?? [];
    expect(upload).toMatchObject({ message: 'Too much is waiting there.', triedAt: world.page.now() });
    expect(lastAttemptAt).toBe(world.page.now());
    await world.linkReturns();
    expect(await world.waiting()).toEqual([]);
  });
});

describe('a piece', () => {
  /** Handles pieces from the first one on; everything else passes. */
  function onPieces(handle: (count: number, pass: () => Promise<Response>) => Promise<Response>): void {
    let count = 0;
    world.device.wire = async (request, pass) => {
      if (request.method !== 'PATCH') return pass(request);
      count += 1;
      return handle(count, () => pass(request));
    };
  }

  async function upload() {
    const [found] = (await queueState(world.page)).travel?.uploads.values() ?? [];
    return found;
  }

  test('that a proxy refuses as too large is sent in smaller ones, and the file not inside its change', async () => {
    await world.save(heavyDraft('too large', 600 * KB));
    world.device.wire = async (request, pass) => {
      const { byteLength } = await request.clone().arrayBuffer();
      return byteLength > 150 * KB ? page(413)() : pass(request);
    };
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(await world.generators('too large')).toHaveLength(1);
  });

  test('whose bytes the device has lost makes the change need the administrator', async () => {
    const entry = await world.save(heavyDraft('lost half way', 600 * KB));
    onPieces(async (_count, pass) => {
      const answer = await pass();
      await world.page.outbox.files.clear();
      return answer;
    });
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ id: entry.id, state: 'attention', reason: { code: 'file-lost' } }]);
    expect((await world.waiting())[0]?.reason?.message).toContain('lost half way');
  });

  test('with fewer bytes than the engine reports is never sent', async () => {
    const entry = await world.save(heavyDraft('zero bytes', 600 * KB));
    const lengths: number[] = [];
    world.device.wire = async (request, pass) => {
      if (request.method !== 'PATCH') return pass(request);
      lengths.push((await request.clone().arrayBuffer()).byteLength);
      const answer = await pass(request);
      if (lengths.length === 1) vi.spyOn(Blob.prototype, 'arrayBuffer').mockResolvedValueOnce(new ArrayBuffer(0));
      return answer;
    };
    await world.drain();
    vi.restoreAllMocks();
    expect(lengths).toEqual([256 * KB]);
    expect(await world.waiting()).toMatchObject([{ id: entry.id, state: 'attention', reason: { code: 'file-lost' } }]);
  });

  test('that the browser can no longer read needs attention, and the next file is uploaded', async () => {
    const entry = await world.save(heavyDraft('unreadable', 600 * KB));
    await world.save(heavyDraft('behind unreadable', 600 * KB));
    const unreadable = vi.spyOn(Blob.prototype, 'slice');
    onPieces(async (count, pass) => {
      const answer = await pass();
      const piece = { arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')) };
      if (count === 1) unreadable.mockReturnValueOnce(piece as unknown as Blob);
      return answer;
    });
    await world.drain();
    vi.restoreAllMocks();
    expect(await world.waiting()).toMatchObject([{ id: entry.id, state: 'attention', reason: { code: 'file-lost' } }]);
    expect(await world.generators('behind unreadable')).toHaveLength(1);
  });

  test('is not lost when the storage fails: its change waits with the reason, and the next file is uploaded', async () => {
    const entry = await world.save(heavyDraft('fails once', 600 * KB));
    await world.save(heavyDraft('behind the failed', 600 * KB));
    vi.spyOn(world.page.outbox.files, 'get').mockRejectedValueOnce(new Error('The disk is busy.'));
    await world.drain();
    expect(await world.waiting()).toMatchObject([
      { id: entry.id, state: 'pending', reason: { message: 'The disk is busy.' } },
    ]);
    expect(await world.generators('behind the failed')).toHaveLength(1);
    await world.linkReturns();
    expect(await world.waiting()).toEqual([]);
    expect(await world.generators('fails once')).toHaveLength(1);
  });

  test('that corrupted the file has the stored bytes checked before any of it is sent again', async () => {
    const entry = await world.save(heavyDraft('spoilt', 600 * KB));
    let pieces = 0;
    onPieces(async (count, pass) => {
      pieces = count;
      if (count === 1)
        await world.page.outbox.files.toCollection().modify((row) => {
          if (row.name.endsWith('.gif')) Object.assign(row, { bytes: new Uint8Array(row.size).fill(7).buffer });
        });
      return pass();
    });
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ id: entry.id, state: 'attention', reason: { code: 'file-lost' } }]);
    expect(pieces).toBe(2);
  });

  test('of a file that the server loses a second time makes the file wait before it starts again', async () => {
    await world.save(heavyDraft('lost twice', 600 * KB));
    const gone = () => new Response('', { status: 404, headers: { 'Tus-Resumable': '1.0.0' } });
    onPieces(async (count, pass) => (count <= 2 ? gone() : pass()));
    await world.drain();
    expect(await upload()).toMatchObject({ offset: 0, restarts: 2 });
    expect(await waits()).toEqual({ queue: 0, file: 1_500 });
    world.device.pass(1_500);
    await world.drain();
    expect(await world.generators('lost twice')).toHaveLength(1);
  });

  test('of a file that the server has lost starts it again, with the reason', async () => {
    await world.save(heavyDraft('no more', 600 * KB));
    let seen: Awaited<ReturnType<typeof upload>>;
    let pieces = 0;
    world.device.wire = async (request, pass) => {
      const isStaging = new URL(request.url).pathname.startsWith(STAGING);
      if (isStaging && request.method === 'POST' && pieces === 2) seen = await upload();
      if (request.method === 'PATCH') pieces += 1;
      const isGone = request.method === 'PATCH' && pieces === 2;
      return isGone ? new Response('', { status: 404, headers: { 'Tus-Resumable': '1.0.0' } }) : pass(request);
    };
    await world.drain();
    expect(seen).toMatchObject({ restarts: 1, message: 'The server no longer had it. It will be sent again.' });
    expect(await world.waiting()).toEqual([]);
    expect(await world.generators('no more')).toHaveLength(1);
  });

  test('measures the link when it arrives whole or is cut, but not when nothing of it was accepted', async () => {
    await world.save(heavyDraft('measured', 600 * KB));
    const sizes: number[] = [];
    onPieces(async (count, pass) => {
      sizes.push(pieceSize(world.page));
      world.device.pass(10_000);
      // the server reports the offset that it already had
      if (count === 1)
        return new Response('', { status: 409, headers: { 'Tus-Resumable': '1.0.0', 'Upload-Offset': '0' } });
      return count === 3 ? cut() : pass();
    });
    await world.drain();
    expect([...sizes, pieceSize(world.page)]).toEqual([256 * KB, 256 * KB, 128 * KB, 64 * KB]);
  });
});
