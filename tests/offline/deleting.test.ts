import { describe, expect, test } from 'vitest';
import { filesOf } from '../../src/domain/outbox/vocabulary.ts';
import { dropFile, undo } from '../../src/offline/outbox/entry-commands.ts';
import { exportQueue } from '../../src/offline/outbox/export.ts';
import { drain } from '../../src/offline/sender/drain.ts';
import { generatorDraft, photo } from './support/drafts.ts';
import { cut, OfflineWorld } from './support/offline-world.ts';

/** A record on the server with an edit that was never sent, and its deletion. */
async function editedAndDeleted(mark: string) {
  const world = await OfflineWorld.begin();
  const draft = generatorDraft(mark);
  await world.save(draft);
  await world.drain();
  const [row] = await world.generators(mark);
  const path = `/api/get-single-generator/${row?.id}`;
  const { version, images } = await world.ask<{ version: string; images: { id: number }[] }>(path);
  const base = { values: draft.values, imageIds: images.map(({ id }) => id), version };
  const about = { resource: 'generators', recordId: String(row?.id), base } as const;
  await world.save({ op: 'update', ...about, values: { ...draft.values, origin: 'Spain' }, files: [] });
  const deletion = await world.save({ op: 'delete', ...about }, { undoFor: 6_000 });
  world.device.pass(6_000);
  world.sent.length = 0;
  return { world, path, deletion };
}

/** Runs something just before the deletion is sent, while the server's capabilities are requested. */
function meanwhile(world: OfflineWorld, happens: () => Promise<unknown>): void {
  const { wire } = world.device;
  world.device.online = false;
  world.device.wire = async (request, pass) => {
    if (new URL(request.url).pathname === '/api/capabilities') {
      world.device.wire = wire;
      world.device.online = true;
      await happens();
    }
    return wire(request, pass);
  };
}

const paths = ({ sent }: OfflineWorld) => sent.map(({ path }) => path.replace(/\/\d+$/, ''));

describe('a deletion', () => {
  test('drops unsent changes of its record', async () => {
    const { world } = await editedAndDeleted('moot');
    await world.drain();
    expect(paths(world)).toEqual(['/api/delete-generator']);
    expect(await world.waiting()).toEqual([]);
  });

  test('drops the photos of unsent changes', async () => {
    const { world, deletion } = await editedAndDeleted('moot-photos');
    await undo(world.page, deletion.id);
    const [edit] = await world.waiting();
    if (edit?.change.op !== 'update') throw new Error('The edit is not there.');
    const { recordId, base } = edit.change;
    await world.save({ ...edit.change, files: [photo('one'), photo('two')] });
    expect(await world.page.outbox.files.count()).toBe(2);
    await world.save({ op: 'delete', resource: 'generators', recordId, base });
    await world.drain();
    expect(paths(world)).toEqual(['/api/delete-generator']);
    expect(await world.page.outbox.files.count()).toBe(0);
  });

  test('that is undone at the last moment keeps earlier edits', async () => {
    const { world, path, deletion } = await editedAndDeleted('undone-late');
    meanwhile(world, async () => expect(await undo(world.page, deletion.id)).toBe(true));
    await world.drain();
    expect(paths(world)).toEqual(['/api/get-single-generator']);
    expect(await world.ask(path)).toMatchObject({ origin: 'Spain' });
  });

  test('does not drop a change exported at the last moment, which another device may have sent', async () => {
    const { world } = await editedAndDeleted('exported-late');
    meanwhile(world, () => exportQueue(world.page, world.me.id));
    await world.drain();
    expect(paths(world)).toEqual(['/api/get-single-generator', '/api/delete-generator']);
    expect(await world.waiting()).toEqual([]);
  });

  test('cannot be undone once it has dropped earlier edits', async () => {
    const { world, deletion } = await editedAndDeleted('settled');
    world.onChanges(async () => cut());
    await world.drain();
    expect(await undo(world.page, deletion.id)).toBe(false);
    await world.linkReturns();
    expect(await world.generators('settled')).toEqual([]);
  });

  test('that is refused remembers how many earlier changes it dropped', async () => {
    const { world, deletion } = await editedAndDeleted('refused');
    world.onChanges(async () => Response.json({ message: 'It is in use.' }, { status: 422 }));
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ id: deletion.id, state: 'attention', tookAlong: 1 }]);
  });

  test('cannot be undone when its sender stops after it has dropped earlier edits', async () => {
    const { world, deletion } = await editedAndDeleted('stopped-between');
    meanwhile(world, async () => {
      world.device.time += 2_000;
    });
    await drain(world.page, world.device.time + 1_000);
    expect(await world.waiting()).toMatchObject([{ id: deletion.id, state: 'pending' }]);
    expect(await undo(world.page, deletion.id)).toBe(false);
    await world.drain();
    expect(await world.generators('stopped-between')).toEqual([]);
  });

  test('cannot be undone while it is being sent', async () => {
    const { world, deletion } = await editedAndDeleted('on-its-way');
    const { drained, letGo } = await world.drainHalfWay();
    expect(await undo(world.page, deletion.id)).toBe(false);
    letGo();
    await drained;
    expect(await world.done()).toContainEqual(expect.objectContaining({ id: deletion.id, state: 'done' }));
  });
});

test('a file cannot be removed from an exported change', async () => {
  const world = await OfflineWorld.begin();
  const entry = await world.save(generatorDraft('drop-copied'));
  await exportQueue(world.page, world.me.id);
  const [file] = filesOf(entry);
  expect(await dropFile(world.page, entry.id, file?.id ?? '')).toBe(false);
  expect(filesOf((await world.waiting())[0] ?? entry)).toEqual(filesOf(entry));
});

test('a file can be removed from a change only while it was never sent', async () => {
  const world = await OfflineWorld.begin();
  const entry = await world.save(generatorDraft('drop', 2));
  const [first, second] = filesOf(entry).filter(({ field }) => field === 'images');
  expect(await dropFile(world.page, entry.id, first?.id ?? '')).toBe(true);
  expect(await world.page.outbox.files.get(first?.id ?? '')).toBeUndefined();
  // a sender that has already read the change must not send it with the file
  expect((await world.waiting())[0]?.idempotencyKey).not.toBe(entry.idempotencyKey);
  world.onChanges(async () => cut());
  await world.drain();
  expect(await dropFile(world.page, entry.id, second?.id ?? '')).toBe(false);
  await world.linkReturns();
  const [row] = await world.generators('drop');
  const { images } = await world.ask<{ images: unknown[] }>(`/api/get-single-generator/${row?.id}`);
  expect(images).toHaveLength(1);
});

test('only a deletion can be undone', async () => {
  const world = await OfflineWorld.begin();
  const entry = await world.save(generatorDraft('no-undo'));
  expect(await undo(world.page, entry.id)).toBe(false);
  expect(await world.waiting()).toHaveLength(1);
});
