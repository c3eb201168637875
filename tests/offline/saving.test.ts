import { Dexie } from 'dexie';
import { IDBDatabase } from 'fake-indexeddb';
import { describe, expect, test, vi } from 'vitest';
import { dropFile, serverIdOf, undo } from '../../src/offline/outbox/entry-commands.ts';
import type { PickedFile } from '../../src/offline/storage/files.ts';
import { FileLostError, FileUnreadableError, StorageFullError } from '../../src/offline/storage/errors.ts';
import { enqueue } from '../../src/offline/outbox/enqueue.ts';
import { openFile } from '../../src/offline/storage/files.ts';
import { writeList, readList } from '../../src/offline/cache/cache.ts';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { soon } from '../harness/soon.ts';
import { editOf, generatorDraft, hashOf, photo } from './support/drafts.ts';
import { cut, OfflineWorld } from './support/offline-world.ts';

const real = IDBDatabase.prototype.transaction;

function filesIn({ change }: OutboxEntry) {
  return 'files' in change ? change.files : [];
}

describe('a save', () => {
  test('is found by a page that starts after it', async () => {
    const world = await OfflineWorld.begin();
    const draft = generatorDraft('durable', 2);
    const entry = await world.save(draft);
    const restarted = world.device.environment();
    const found = await restarted.outbox.entries.where('id').equals(entry.id).first();
    expect(found).toEqual(entry);
    const bytes = await Promise.all(filesIn(entry).map((file) => openFile(restarted, file)));
    expect(bytes.map(({ name, type }) => [name, type])).toEqual(draft.files.map(({ name, type }) => [name, type]));
    const hashes = bytes.map((blob) => hashOf({ ...photo(''), blob }));
    expect(await Promise.all(hashes)).toEqual(await Promise.all(draft.files.map(hashOf)));
  });

  test('is written with strict durability before it counts as saved', async () => {
    const begun: [string | undefined, string | undefined][] = [];
    const begin = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function transaction(
      this: IDBDatabase,
      ...given
    ) {
      begun.push([given[1], given[2]?.durability]);
      return real.apply(this, given);
    });
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('strict', 2));
    await world.drain();
    begin.mockRestore();
    const writes = begun.filter(([mode]) => mode === 'readwrite');
    expect(writes.length).toBeGreaterThan(2);
    expect(new Set(writes.map(([, durability]) => durability))).toEqual(new Set(['strict']));
  });

  test('writes everything or nothing', async () => {
    const world = await OfflineWorld.begin();
    world.page.outbox.files.hook('creating', () => {
      throw new Error('The disk is gone.');
    });
    await expect(world.save(generatorDraft('half'))).rejects.toThrow();
    expect(await world.waiting()).toEqual([]);
    expect(await world.page.outbox.files.count()).toBe(0);
  });

  test('names a file that cannot be read, and stores nothing', async () => {
    const world = await OfflineWorld.begin();
    const revoked = photo('revoked');
    revoked.blob.arrayBuffer = () => Promise.reject(new DOMException('Gone', 'NotFoundError'));
    const draft = generatorDraft('revoked');
    await expect(world.save({ ...draft, files: [...draft.files, revoked] })).rejects.toThrow(FileUnreadableError);
    await expect(world.save({ ...draft, files: [{ ...photo('empty'), blob: new Blob([]) }] })).rejects.toThrow(
      '“empty.gif”',
    );
    expect(await world.waiting()).toEqual([]);
  });

  test('on a full device clears the cache first, and is refused with the sizes when that is not enough', async () => {
    const world = await OfflineWorld.begin();
    let free = 0;
    const room = {
      estimate: async () => ({ usage: 0, quota: free }),
      persisted: async () => true,
      persist: async () => true,
    };
    const page = world.device.environment({ room });
    await writeList('generators', { rows: [], fetchedAt: 1 }, page.cache);
    const about = { administrator: world.me.id, title: '' };
    await expect(enqueue(page, generatorDraft('full'), about)).rejects.toThrow(StorageFullError);
    expect(await world.waiting()).toEqual([]);
    expect(await readList('generators', page.cache)).toBeUndefined();
    free = 10 ** 9;
    await expect(enqueue(page, generatorDraft('full'), about)).resolves.toMatchObject({ state: 'pending' });
  });

  test('asks the browser for persistent storage', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const persist = vi.fn(async () => true);
    const page = world.device.environment({ room: { persisted: async () => false, persist } });
    await enqueue(page, generatorDraft('kept'), { administrator: world.me.id, title: '' });
    await soon(() => expect(persist).toHaveBeenCalledOnce());
  });

  test('succeeds even if the browser has closed the connection to the storage', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('before'));
    world.page.outbox.close();
    await world.save(generatorDraft('after'));
    expect(await world.waiting()).toHaveLength(2);
  });

  test.each(['InvalidStateError', 'UnknownError'])('succeeds even if the storage fails once with %s', async (name) => {
    const world = await OfflineWorld.begin();
    const { outbox } = world.page;
    vi.spyOn(outbox, 'transaction').mockImplementationOnce(() => {
      return Dexie.Promise.reject(Object.assign(new Error('The connection is lost.'), { name })) as never;
    });
    await world.save(generatorDraft(name));
    expect(await world.waiting()).toHaveLength(1);
  });

  test('survives another tab that upgrades the storage to a newer version', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('old-tab'));
    const newer = world.device.environment().outbox;
    newer.version(2).stores({ later: 'id' });
    await newer.open();
    await world.save(generatorDraft('still-there'));
    expect(await newer.entries.count()).toBe(2);
  });
});

describe('changes that were never attempted', () => {
  test('a create and its edit are sent as one', async () => {
    const world = await OfflineWorld.begin();
    const created = await world.save(generatorDraft('merge'));
    const merged = await world.save(editOf(created, { origin: 'Spain' }, [photo('more')]));
    expect(merged.id).toBe(created.id);
    // a sender that has already read the change must not send it without the edit
    expect(merged.idempotencyKey).not.toBe(created.idempotencyKey);
    await world.drain();
    expect(world.sent.map(({ path, fields }) => [path, fields.get('origin')])).toEqual([
      ['/api/create-generator', 'Spain'],
    ]);
  });

  test('an edit of site meta merges into one that an older version queued without an id', async () => {
    const world = await OfflineWorld.begin();
    const { outbox } = world.page;
    const base = { values: { title: 'Old', phone: '1' }, imageIds: [] };
    const edit = (values: Record<string, string>) =>
      world.save({ op: 'update', resource: 'site-meta', recordId: '1', values, files: [], base });
    const { sequence } = await edit({ title: 'New', phone: '1' });
    const queued = { op: 'save-settings', values: { title: 'New', phone: '1' }, base };
    await outbox.entries.update(sequence, { change: queued, schema: 4 } as never);
    await edit({ title: 'Old', phone: '2' });
    expect(await world.waiting()).toMatchObject([{ change: { values: { title: 'New', phone: '2' } } }]);
  });

  test('the bytes of a change are removed when it is confirmed, not at the next garbage collection', async () => {
    const world = await OfflineWorld.begin();
    for (const mark of ['first-bytes', 'later-bytes']) {
      await world.save(generatorDraft(mark));
      await world.drain();
      expect(await world.page.outbox.files.count()).toBe(0);
    }
  });

  test('a replaced file is removed from the storage', async () => {
    const world = await OfflineWorld.begin();
    const created = await world.save(generatorDraft('replace'));
    const catalog = { ...generatorDraft('newer').files[0], field: 'catalog' } as PickedFile;
    const merged = await world.save(editOf(created, {}, [catalog]));
    expect(filesIn(merged).map(({ name }) => name)).toEqual(['replace-0.gif', 'newer.pdf']);
    expect(await world.page.outbox.files.count()).toBe(2);
  });

  test('a file can be removed again', async () => {
    const world = await OfflineWorld.begin();
    const created = await world.save(generatorDraft('drop', 2));
    const [, , last] = filesIn(created);
    expect(await dropFile(world.page, created.id, last?.id ?? '')).toBe(true);
    expect(filesIn((await world.waiting())[0] as OutboxEntry).map(({ name }) => name)).toEqual([
      'drop.pdf',
      'drop-0.gif',
    ]);
    expect(await world.page.outbox.files.count()).toBe(2);
  });

  test('a create and its deletion leave nothing behind and send nothing', async () => {
    const world = await OfflineWorld.begin();
    const created = await world.save(generatorDraft('never'));
    const { recordId } = created.change as { recordId: string };
    const deletion = await world.save({ op: 'delete', resource: 'generators', recordId }, { undoFor: 6_000 });
    expect(await world.drain()).toEqual({ until: world.device.time + 6_000 });
    world.device.pass(6_000);
    await world.drain();
    expect(world.sent).toEqual([]);
    expect(await world.done()).toMatchObject([{ id: deletion.id, state: 'done' }]);
    expect(await undo(world.page, deletion.id)).toBe(false);
    expect(await world.page.outbox.files.count()).toBe(0);
  });

  test('undoing the deletion restores everything before it', async () => {
    const world = await OfflineWorld.begin();
    const created = await world.save(generatorDraft('undo'));
    const { recordId } = created.change as { recordId: string };
    const deletion = await world.save({ op: 'delete', resource: 'generators', recordId }, { undoFor: 6_000 });
    expect(await undo(world.page, deletion.id)).toBe(true);
    await world.drain();
    expect(world.sent.map(({ path }) => path)).toEqual(['/api/create-generator']);
    // a second press still reports success
    expect(await undo(world.page, deletion.id)).toBe(true);
  });

  test('undoing a deletion that found no server restores everything before it, however long it waited', async () => {
    const world = await OfflineWorld.begin();
    const created = await world.save(generatorDraft('undone-late'));
    await world.drain();
    const id = await serverIdOf(world.page, 'generators', (created.change as { recordId: string }).recordId);
    world.device.wire = async () => cut();
    await world.save(generatorDraft('other'));
    await world.drain();
    await world.save(editOf(created, { origin: 'Spain' }));
    const deletion = await world.save(
      { op: 'delete', resource: 'generators', recordId: String(id) },
      { undoFor: 6_000 },
    );
    world.device.pass(10 * 60_000);
    await world.drain();
    expect(await undo(world.page, deletion.id)).toBe(true);
    await world.linkReturns();
    expect(await world.ask(`/api/get-single-generator/${id}`)).toMatchObject({ origin: 'Spain' });
  });

  test('the same deletion requested twice is one', async () => {
    const world = await OfflineWorld.begin();
    const first = await world.save({ op: 'delete', resource: 'generators', recordId: '5' });
    const second = await world.save({ op: 'delete', resource: 'generators', recordId: '5' });
    expect(second.id).toBe(first.id);
  });
});

describe('after an attempt', () => {
  test('an edit waits behind the create and never changes what may be delivered', async () => {
    const world = await OfflineWorld.begin();
    const created = await world.save(generatorDraft('behind'));
    world.onChanges(async (request, pass) => {
      await pass(request);
      return cut();
    });
    await world.drain();
    const edit = await world.save(editOf(created, { origin: 'Spain' }));
    expect(edit.id).not.toBe(created.id);
    world.goodLink();
    world.device.pass(60_000);
    await world.drain();
    const origins = world.sent.map(({ path, fields }) => [path.replace(/\d+/, 'id'), fields.get('origin')]);
    expect(origins).toEqual([
      ['/api/create-generator', 'UK'],
      ['/api/get-single-generator/id', 'Spain'],
    ]);
  });

  test('an edit made under the local id goes to the server’s record even if that is already known', async () => {
    const world = await OfflineWorld.begin();
    const created = await world.save(generatorDraft('late'));
    await world.drain();
    await world.save(editOf(created, { origin: 'Spain' }));
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(world.sent[1]?.path).toMatch(/^\/api\/get-single-generator\/\d+$/);
  });
});

describe('more files than one request allows', () => {
  test('are sent in one request to this server', async () => {
    const world = await OfflineWorld.begin();
    const draft = generatorDraft('whole', 24);
    await world.save(draft);
    await world.drain();
    expect(world.sent).toHaveLength(1);
    const [row] = await world.generators('whole');
    const { images } = await world.ask<{ images: { image: string }[] }>(`/api/get-single-generator/${row?.id}`);
    const stored = await Promise.all(images.map(({ image }) => world.backend.receivedSha256(image)));
    expect(stored).toEqual(await Promise.all(draft.files.slice(1).map(hashOf)));
  });

  test('are one change, sent in several requests and in order', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const draft = generatorDraft('many', 44);
    await world.save(draft);
    expect((await world.waiting()).map((entry) => filesIn(entry).length)).toEqual([45]);
    await world.drain();
    expect(world.sent).toHaveLength(3);
    const [receipt] = (await world.done()).filter(({ change }) => change.op === 'create');
    const record = await world.ask<{ images: { image: string }[] }>(
      `/api/get-single-generator/${receipt?.receipt?.serverId}`,
    );
    const stored = await Promise.all(record.images.map(({ image }) => world.backend.receivedSha256(image)));
    expect(stored).toEqual(await Promise.all(draft.files.slice(1).map(hashOf)));
  });
});

describe('damaged stored bytes', () => {
  test.each([
    ['emptied', new ArrayBuffer(0)],
    ['altered', new Uint8Array(52).fill(7).buffer],
  ])('are never sent when %s', async (_how, bytes) => {
    const world = await OfflineWorld.begin();
    const entry = await world.save(generatorDraft('bad'));
    const file = filesIn(entry)[1];
    await world.page.outbox.files.update(file?.id ?? '', { bytes });
    await world.drain();
    expect(world.sent).toEqual([]);
    expect(await world.waiting()).toMatchObject([{ state: 'attention', reason: { code: 'file-lost' } }]);
    if (file !== undefined) await expect(openFile(world.page, file)).rejects.toThrow(FileLostError);
  });
});
