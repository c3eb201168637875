import { beforeEach, describe, expect, test } from 'vitest';
import { drain } from '../../src/offline/sender/drain.ts';
import { Together } from './support/batches.ts';
import { editOf, generatorDraft, hashOf, heavyDraft, photo } from './support/drafts.ts';
import { type OfflineWorld } from './support/offline-world.ts';

let together: Together;
let world: OfflineWorld;

beforeEach(async () => {
  together = await Together.begin();
  ({ world } = together);
});

describe('changes that are ready together', () => {
  test('go in one request with their small files, and each gets its own receipt', async () => {
    await together.saveAll('b1', 'b2', 'b3');
    await world.drain();
    expect(together.log).toEqual(['POST /api/changes']);
    expect(await world.waiting()).toEqual([]);
    await together.expectOnce('b1', 'b2', 'b3');
    const [row] = await world.generators('b2');
    const record = await world.ask<{ images: { image: string }[] }>(`/api/get-single-generator/${row?.id}`);
    expect(await world.backend.receivedSha256(record.images[0]?.image ?? '')).toBe(await hashOf(photo('b2-0')));
  });

  test('are not delayed for a batch when there is only one', async () => {
    await together.saveAll('single');
    await world.drain();
    expect(together.log).toEqual(['POST /api/create-generator']);
  });

  test('are not held up by a refused one', async () => {
    await together.saveAll('r1');
    const refused = await world.save({
      ...generatorDraft('r2'),
      values: { ...generatorDraft('r2').values, brand: '' },
    });
    await together.saveAll('r3');
    await world.drain();
    expect(together.log).toEqual(['POST /api/changes']);
    await together.expectOnce('r1', 'r3');
    const waiting = await world.waiting();
    expect(waiting).toMatchObject([{ id: refused.id, state: 'attention', reason: { status: 422 } }]);
    expect(waiting[0]?.reason?.errors).toHaveProperty('brand');
  });

  test('leave out one whose file the device has lost', async () => {
    await together.saveAll('f1', 'f2', 'f3');
    const [, second] = await world.waiting();
    await world.page.outbox.files
      .toCollection()
      .filter(({ entryId }) => entryId === second?.id)
      .delete();
    await world.drain();
    expect(await world.waiting()).toMatchObject([
      { id: second?.id, state: 'attention', reason: { code: 'file-lost' } },
    ]);
    await together.expectOnce('f1', 'f3');
  });

  test('leave out one about a record that was never created', async () => {
    await together.saveAll('a1', 'a2');
    const recordId = 'local-00000000-0000-4000-8000-ffffffffffff';
    const base = { version: 'any', values: generatorDraft('gone').values, imageIds: [] };
    const { values } = generatorDraft('gone');
    const lost = await world.save({ op: 'update', resource: 'generators', recordId, values, files: [], base });
    await together.saveAll('a3');
    await world.drain();
    await together.expectOnce('a1', 'a2', 'a3');
    expect(await world.waiting()).toMatchObject([{ id: lost.id, state: 'attention', reason: { code: 'gone' } }]);
  });

  test('leave out one that was just edited, which is then sent in its new form', async () => {
    const edited = await world.save(generatorDraft('moment1'));
    await together.saveAll('moment2', 'moment3');
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
    await together.expectOnce('moment1', 'moment2', 'moment3');
    const [row] = await world.generators('moment1');
    expect(await world.ask(`/api/get-single-generator/${row?.id}`)).toMatchObject({ origin: 'Spain' });
  });

  test('are limited to what the link carries in a few seconds, photos included', async () => {
    for (const mark of ['p1', 'p2', 'p3', 'p4']) await world.save(heavyDraft(mark, 100 * 1024));
    await world.drain();
    expect(together.log).toEqual(['POST /api/changes', 'POST /api/changes']);
    await together.expectOnce('p1', 'p2', 'p3', 'p4');
  });

  test('do not measure the link when they are small, however long the round trip', async () => {
    await together.saveAll('small1', 'small2');
    together.onBatches(async (request, pass) => {
      world.device.pass(9_000);
      return pass(request);
    });
    await world.drain();
    together.log = [];
    together.goodLink();
    for (const mark of ['s1', 's2']) await world.save(heavyDraft(mark, 100 * 1024));
    await world.drain();
    expect(together.log).toEqual(['POST /api/changes']);
  });

  test('are limited to what the server accepts at once', async () => {
    const marks = Array.from({ length: 60 }, (_, index) => `many${index}`);
    await together.saveAll(...marks);
    await world.drain();
    expect(together.log).toEqual(['POST /api/changes', 'POST /api/changes']);
    expect(await world.waiting()).toEqual([]);
  });
});
