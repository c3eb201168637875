import { beforeEach, describe, expect, test, vi } from 'vitest';
import { filesOf } from '../../src/domain/outbox/vocabulary.ts';
import { BATCH_ANSWER_TYPE } from '../../src/domain/protocol/batch.ts';
import { queueState } from '../../src/offline/outbox/queries.ts';
import { pieceSize } from '../../src/offline/sender/link.ts';
import type { StoredFile } from '../../src/offline/storage/outbox-database.ts';
import { isBatch, Together } from './support/batches.ts';
import { generatorDraft, generatorValues, heavyDraft } from './support/drafts.ts';
import { cut, json, type OfflineWorld } from './support/offline-world.ts';

const KB = 1024;

let together: Together;
let world: OfflineWorld;

beforeEach(async () => {
  together = await Together.begin();
  ({ world } = together);
});

async function saveHeavy(...marks: string[]): Promise<void> {
  for (const mark of marks) await world.save(heavyDraft(mark, 100 * KB));
}

describe('a batch', () => {
  test('with photos measures the link by its first answer', async () => {
    await saveHeavy('slow1', 'slow2');
    together.onBatches(async (request, pass) => {
      world.device.pass(20_000);
      return pass(request);
    });
    await world.drain();
    expect(pieceSize(world.page)).toBe(128 * KB);
  });

  test('with photos does not measure the link by later answers, since the server works in between', async () => {
    await saveHeavy('pausing1', 'pausing2');
    together.onBatches(async (request, pass) => {
      const answer = await pass(request);
      const lines = (await answer.text()).split('\n').filter((line) => line !== '');
      let given = 0;
      const pull = (stream: ReadableStreamDefaultController<Uint8Array>) => {
        const line = lines[given];
        if (line === undefined) return stream.close();
        if (given > 0) world.device.pass(20_000);
        given += 1;
        stream.enqueue(new TextEncoder().encode(`${line}\n`));
      };
      return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), answer);
    });
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(pieceSize(world.page)).toBe(512 * KB);
  });

  test('counts as the last attempt, as a single change does', async () => {
    const lastAttempt = async () => (await queueState(world.page)).lastAttemptAt;
    await together.saveAll('noted1', 'noted2');
    await world.drain();
    expect(await lastAttempt()).toBe(world.page.now());
    world.device.pass(60_000);
    await together.saveAll('noted3');
    await world.drain();
    expect(await lastAttempt()).toBe(world.page.now());
    expect(together.log).toEqual(['POST /api/changes', 'POST /api/create-generator']);
  });

  test('that is cut before any answer makes the next requests smaller', async () => {
    await saveHeavy('cut1', 'cut2');
    together.onBatches(async () => cut());
    await world.drain();
    expect(pieceSize(world.page)).toBe(128 * KB);
  });

  test.each<[string, () => Response]>([
    ['is told to wait', json(429, { message: 'Too Many Attempts.' }, { 'retry-after': '9' })],
    ['is signed out', json(401, { message: 'Unauthenticated.' })],
  ])('that %s does not change the measured link', async (what, answer) => {
    await saveHeavy(`${what}1`, `${what}2`);
    together.onBatches(async () => answer());
    await world.drain();
    expect(pieceSize(world.page)).toBe(256 * KB);
    expect(await world.waiting()).toHaveLength(2);
  });

  test.each<[string, () => Response]>([
    ['as if it were one change', json(200, { message: 'Created.', id: 1 })],
    ['with a conflict', json(412, { message: 'Changed.' })],
    ['as known by its key', json(422, { message: 'Known.', code: 'idempotency-key-reused' })],
  ])(
    'that is answered as a whole %s may have been executed: its changes are looked up, and go one by one',
    async (what, answer) => {
      const marks = [`${what}1`, `${what}2`];
      await together.saveAll(...marks);
      together.onBatches(async () => answer());
      await world.drain();
      const asked = expect.stringMatching(/^GET \/api\/changes\/./) as string;
      const [one, other] = [asked, 'POST /api/create-generator'];
      expect(together.log).toEqual(['POST /api/changes', one, other, one, other]);
      await together.expectOnce(...marks);
    },
  );

  test('loses no file when the storage fails: its change waits with the reason, and the others are sent', async () => {
    const { id } = await world.save(generatorDraft('busy disk1'));
    await together.saveAll('busy disk2', 'busy disk3');
    vi.spyOn(world.page.outbox.files, 'get').mockRejectedValueOnce(new Error('The disk is busy.'));
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ id, state: 'pending', reason: { message: 'The disk is busy.' } }]);
    await world.linkReturns();
    expect(await world.waiting()).toEqual([]);
  });

  test.each(['DataError', 'NotReadableError'])(
    'leaves out a change whose file the browser can no longer read (%s)',
    async (name) => {
      const lost = await world.save(generatorDraft(`${name}1`));
      await together.saveAll(`${name}2`, `${name}3`);
      const { files } = world.page.outbox;
      const get = files.get.bind(files) as (id: string) => Promise<StoredFile>;
      const ids = filesOf(lost).map(({ id }) => id);
      vi.spyOn(files, 'get').mockImplementation(((id: string) =>
        ids.includes(id) ? Promise.reject(new DOMException('Failed to read large value', name)) : get(id)) as never);
      await world.drain();
      expect(await world.waiting()).toMatchObject([{ id: lost.id, state: 'attention', reason: { code: 'file-lost' } }]);
      await together.expectOnce(`${name}2`, `${name}3`);
    },
  );

  test('refers to the files that were staged, and carries the others', async () => {
    const sizes: number[] = [];
    let pieces = 0;
    await world.save(heavyDraft('ahead', 300 * KB));
    together.onRequests(async (request, pass) => {
      if (request.method === 'PATCH') pieces += 1;
      // the other one is saved while the last piece of the first one's file is sent
      if (request.method === 'PATCH' && pieces === 2) await world.save(generatorDraft('beside'));
      if (isBatch(request)) sizes.push((await request.clone().arrayBuffer()).byteLength);
      return pass(request);
    });
    await world.drain();
    expect(sizes).toHaveLength(1);
    expect(sizes[0]).toBeLessThan(20 * KB);
    await together.expectOnce('ahead', 'beside');
  });

  test('bases a refused change on what was done before it in the same batch', async () => {
    await together.saveAll('stands');
    await world.drain();
    const [row] = await world.generators('stands');
    const recordId = String(row?.id);
    const { images, version } = await world.ask<{ images: { id: number; image: string }[]; version: string }>(
      `/api/get-single-generator/${recordId}`,
    );
    const values = generatorValues('stands');
    const base = { version, values, imageIds: images.map(({ id }) => id) };
    const about = { resource: 'generators', recordId } as const;
    const [image] = images;
    await world.save({ op: 'delete-image', ...about, base, imageId: image?.id ?? 0, image: image?.image ?? '' });
    const edited = { ...values, origin: 'Spain' };
    await world.save({ op: 'update', ...about, values: edited, files: [], base: { ...base, imageIds: [] } });
    const keys = (await world.waiting()).map(({ idempotencyKey }) => idempotencyKey);
    together.onBatches(async () => {
      const lines = [
        { key: keys[0], status: 200, body: { message: 'Removed.', version: 'after it' } },
        { key: keys[1], status: 422, body: { message: 'No.', errors: {} } },
      ];
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      return new Response(text, { headers: { 'Content-Type': BATCH_ANSWER_TYPE } });
    });
    together.log = [];
    await world.drain();
    expect(together.log[0]).toBe('POST /api/changes');
    expect(await world.waiting()).toMatchObject([{ state: 'attention', change: { base: { version: 'after it' } } }]);
  });
});
