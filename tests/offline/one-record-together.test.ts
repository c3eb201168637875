import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { discard } from '../../src/offline/outbox/entry-commands.ts';
import { editOf, generatorDraft, photo } from './support/drafts.ts';
import { eachAnswered, firstLines, isBatch, type Handler } from './support/batches.ts';
import { cut, json, OfflineWorld } from './support/offline-world.ts';

let world: OfflineWorld;
/** Bodies of the batches that were sent. */
let batches: Wired[][];

interface Wired {
  readonly key: string;
  readonly op: string;
  readonly id: string;
  readonly after?: string;
  readonly version?: string;
}

interface Generator {
  readonly id: number;
  readonly brand: string;
  readonly capacity: string;
  readonly version: string;
  readonly images: { readonly id: number; readonly image: string }[];
}

beforeEach(async () => {
  world = await OfflineWorld.begin('together');
  batches = [];
  onBatches((request, pass) => pass(request));
});

function onBatches(wire: Handler): void {
  world.device.wire = async (request, pass) => {
    if (!isBatch(request)) return pass(request);
    batches.push(await changesIn(request.clone()));
    return wire(request, pass);
  };
}

async function changesIn(request: Request): Promise<Wired[]> {
  if (request.headers.get('content-type')?.startsWith('application/json')) {
    return ((await request.json()) as { changes: Wired[] }).changes;
  }
  return JSON.parse(String((await request.formData()).get('changes'))) as Wired[];
}

/** Refuses the first change, and does not try those that follow it. */
function refusedFirst(changes: readonly Wired[]): Response {
  return eachAnswered(changes.map(({ key }, place) => [key, place === 0 ? 422 : 424]));
}

async function recordOf(mark: string): Promise<Generator> {
  const [row] = await world.generators(mark);
  return world.ask<Generator>(`/api/get-single-generator/${row?.id}`);
}

/** A create whose first request never arrived, and an edit of it. */
async function createAndEdit(mark: string, edit: Record<string, string> = { capacity: '250 kVA' }) {
  const create = await world.save(generatorDraft(mark));
  const { wire } = world.device;
  world.device.wire = async (request, pass) => (request.method === 'POST' ? cut() : pass(request));
  await world.drain();
  world.device.wire = wire;
  return { create, edit: await world.save(editOf(create, edit)) };
}

/** Removes two of a record's images and edits its texts. */
async function removeImagesAndEdit(mark: string, capacity: string): Promise<OutboxEntry[]> {
  await world.save(generatorDraft(mark, 3));
  await world.drain();
  const { id, images, version, ...row } = await recordOf(mark);
  const values = { ...generatorDraft(mark).values };
  const base = { version, values, imageIds: images.map((image) => image.id) };
  const about = { resource: 'generators', recordId: String(id) } as const;
  const entries: OutboxEntry[] = [];
  for (const image of images.slice(0, 2)) {
    entries.push(await world.save({ op: 'delete-image', ...about, imageId: image.id, image: image.image, base }));
  }
  expect(row.capacity).toBe('100 kVA');
  entries.push(
    await world.save({ op: 'update', ...about, values: { ...values, capacity }, files: [photo('new')], base }),
  );
  return entries;
}

describe('several changes of one record', () => {
  test('go in one request: a create and its edit', async () => {
    const { create } = await createAndEdit('ce');
    await later();
    expect(batches).toMatchObject([
      [
        { op: 'create', id: create.change.recordId },
        { op: 'update', id: create.change.recordId, after: create.idempotencyKey },
      ],
    ]);
    expect(await world.waiting()).toEqual([]);
    const { id, capacity } = await recordOf('ce');
    expect(capacity).toBe('250 kVA');
    const receipts = await world.done();
    expect(receipts.find(({ change }) => change.op === 'update')?.change.recordId).toBe(String(id));
  });

  test('go in one request: removed images and an edit, each based on the version that the previous one leaves', async () => {
    const [first, second] = await removeImagesAndEdit('rm', '300 kVA');
    await world.drain();
    expect(batches.at(-1)).toMatchObject([
      { op: 'delete-image' },
      { op: 'delete-image', after: first?.idempotencyKey },
      { op: 'update', after: second?.idempotencyKey },
    ]);
    expect(await world.waiting()).toEqual([]);
    expect(await recordOf('rm')).toMatchObject({ capacity: '300 kVA', images: [{}, {}] });
  });

  test('wait untried behind a refused change', async () => {
    const { create, edit } = await createAndEdit('re');
    const other = await world.save(generatorDraft('re2'));
    await world.page.outbox.entries.update(create.sequence, { 'change.values.brand': '' });
    await later();
    expect(await world.waiting()).toMatchObject([
      { id: create.id, state: 'attention' },
      { id: edit.id, state: 'pending', attempts: 0, delivery: [] },
    ]);
    expect((await world.done()).map(({ id }) => id)).toContain(other.id);
  });

  test('are not repeated when the answer of the edit is lost', async () => {
    await createAndEdit('la');
    onBatches(async (request, pass) => firstLines(await pass(request), 1));
    await later();
    const { id, version } = await recordOf('la');
    expect(await world.waiting()).toMatchObject([
      { change: { op: 'update', recordId: String(id) }, delivery: ['attempt'] },
    ]);
    onBatches((request, pass) => pass(request));
    await later();
    expect(await world.waiting()).toEqual([]);
    expect(await recordOf('la')).toMatchObject({ capacity: '250 kVA', version });
  });

  test('are applied once when the whole answer is lost', async () => {
    await createAndEdit('wl');
    onBatches(async (request, pass) => {
      await pass(request);
      return cut();
    });
    await later();
    const { version } = await recordOf('wl');
    onBatches((request, pass) => pass(request));
    await later();
    await later();
    expect(await world.waiting()).toEqual([]);
    expect(await recordOf('wl')).toMatchObject({ capacity: '250 kVA', version });
    expect(await world.generators('wl')).toHaveLength(1);
  });

  test('are compared when someone else has changed the record meanwhile', async () => {
    await removeImagesAndEdit('co', '400 kVA');
    const { id } = await recordOf('co');
    await world.elsewhere(`/api/get-single-generator/${id}`, { ...generatorDraft('co').values, origin: 'DE' });
    await world.drain();
    await later();
    expect(await world.waiting()).toEqual([]);
    expect(await recordOf('co')).toMatchObject({ capacity: '400 kVA', origin: 'DE', images: [{}, {}] });
  });

  test('are sent in their latest form when edited before sending', async () => {
    const { create, edit } = await createAndEdit('me');
    await world.save(editOf(create, { capacity: '275 kVA', origin: 'FR' }));
    expect((await world.waiting()).map(({ id }) => id)).toEqual([create.id, edit.id]);
    await later();
    expect(await recordOf('me')).toMatchObject({ capacity: '275 kVA', origin: 'FR' });
  });
});

test('no change is sent behind one discarded at the last moment, and the next request starts afresh', async () => {
  const [first] = await removeImagesAndEdit('discarded-late', '300 kVA');
  batches = [];
  const { outbox } = world.page;
  const bulkGet = outbox.entries.bulkGet.bind(outbox.entries);
  vi.spyOn(outbox.entries, 'bulkGet').mockImplementationOnce((keys) =>
    outbox.entries.delete(first?.sequence ?? 0).then(() => bulkGet(keys as number[])),
  );
  await world.drain();
  const keys = batches.map((batch) => batch.map(({ key }) => key));
  const followed = batches.map((batch) => batch.flatMap(({ after }) => after ?? []));
  expect(keys).toEqual(followed.map((before) => expect.arrayContaining(before) as string[]));
  expect(await world.waiting()).toEqual([]);
  expect(await recordOf('discarded-late')).toMatchObject({ capacity: '300 kVA' });
});

/** An edit of the capacity whose first request never arrived, and a later edit of the origin. */
async function twoEdits(mark: string, seen?: { version?: string }) {
  await world.save(generatorDraft(mark));
  await world.drain();
  const { id, version } = await recordOf(mark);
  const { values } = generatorDraft(mark);
  const about = { op: 'update', resource: 'generators', recordId: String(id), files: [] } as const;
  const edited = { ...values, capacity: '250 kVA' };
  const first = await world.save({ ...about, values: edited, base: { version, values, imageIds: [] } });
  world.device.wire = async (request, pass) => (request.method === 'POST' ? cut() : pass(request));
  await world.drain();
  const base = { ...(seen ?? { version }), values: edited, imageIds: [] };
  return { id, first, second: await world.save({ ...about, values: { ...edited, origin: 'Spain' }, base }) };
}

describe('an edit with unknown delivery and no base version', () => {
  async function bothLost(mark: string, lose: Handler) {
    const edits = await twoEdits(mark, {});
    onBatches(lose);
    await later();
    expect(batches.at(-1)).toMatchObject([{}, { after: edits.first.idempotencyKey }]);
    return edits;
  }

  test('does not overwrite what someone else has changed meanwhile', async () => {
    const { id, second } = await bothLost('unseen', async () => cut());
    await world.elsewhere(`/api/get-single-generator/${id}`, { ...generatorDraft('unseen').values, origin: 'Italy' });
    onBatches((request, pass) => pass(request));
    await later();
    expect(await world.waiting()).toMatchObject([
      { id: second.id, state: 'attention', conflict: { theirs: { values: { origin: 'Italy' } } } },
    ]);
    expect(await recordOf('unseen')).toMatchObject({ capacity: '250 kVA', origin: 'Italy' });
  });

  test('is done when it had arrived, without a question about later changes', async () => {
    const { id, second } = await bothLost('seen', async (request, pass) => {
      await pass(request);
      return cut();
    });
    await world.elsewhere(`/api/get-single-generator/${id}`, { ...generatorDraft('seen').values, origin: 'Italy' });
    onBatches((request, pass) => pass(request));
    await later();
    expect(await world.waiting()).toEqual([]);
    expect((await world.done()).map((entry) => entry.id)).toContain(second.id);
    expect(await recordOf('seen')).toMatchObject({ origin: 'Italy' });
  });
});

describe('an edit after one that is discarded while being sent', () => {
  const ways: [string, Handler][] = [
    ['neither has arrived', async () => cut()],
    ['the first is refused', async (request) => refusedFirst(await changesIn(request))],
    ['the server asks to wait', async () => json(429, { message: 'Too many.' })()],
  ];

  test.each(ways)('is sent without it when %s', async (mark, answer) => {
    const { first, second } = await twoEdits(mark);
    onBatches(async (request, pass) => {
      await discard(world.page, first.id);
      return answer(request, pass);
    });
    await later();
    onBatches((request, pass) => pass(request));
    await later();
    expect(await world.waiting()).toEqual([]);
    expect(await recordOf(mark)).toMatchObject({ capacity: '100 kVA', origin: 'Spain' });
    expect((await world.done()).map(({ id }) => id)).toEqual(expect.arrayContaining([second.id]));
  });

  test('is sent without it when it is discarded after the link is gone and nothing has arrived', async () => {
    const { first } = await twoEdits('gone');
    onBatches(async () => cut());
    await later();
    await discard(world.page, first.id);
    onBatches((request, pass) => pass(request));
    await later();
    expect(await world.waiting()).toEqual([]);
    expect(await recordOf('gone')).toMatchObject({ capacity: '100 kVA', origin: 'Spain' });
  });

  test('is done when both have arrived, and nothing is sent again', async () => {
    const { first, second } = await twoEdits('both');
    onBatches(async (request, pass) => {
      await pass(request);
      await discard(world.page, first.id);
      return cut();
    });
    await later();
    const { version } = await recordOf('both');
    const posts: string[] = [];
    world.device.wire = async (request, pass) => {
      if (request.method === 'POST') posts.push(request.url);
      return pass(request);
    };
    await later();
    expect(posts).toEqual([]);
    expect(await world.waiting()).toEqual([]);
    expect(await recordOf('both')).toMatchObject({ capacity: '250 kVA', origin: 'Spain', version });
    expect((await world.done()).find(({ id }) => id === second.id)).toMatchObject({ receipt: { version } });
  });
});

async function later(): Promise<void> {
  world.device.pass(10 * 60_000);
  await world.drain();
}
