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
  test('is there for a page that starts after it', async () => {
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

  test('is on the disk before it is called saved: no write to the outbox is left to the browser’s memory', async () => {
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

  test('writes all of it or nothing', async () => {
    const world = await OfflineWorld.begin();
    world.page.outbox.files.hook('creating', () => {
      throw new Error('The disk is gone.');
    });
    await expect(world.save(generatorDraft('half'))).rejects.toThrow();
    expect(await world.waiting()).toEqual([]);
    expect(await world.page.outbox.files.count()).toBe(0);
  });

  test('of a file that cannot be read says which, and keeps nothing', async () => {
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

  test('without room gives the cache up first, and is refused with the sizes when that is not enough', async () => {
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

  test('asks the browser to keep what is saved', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const persist = vi.fn(async () => true);
    const page = world.device.environment({ room: { persisted: async () => false, persist } });
    await enqueue(page, generatorDraft('kept'), { administrator: world.me.id, title: '' });
    await soon(() => expect(persist).toHaveBeenCalledOnce());
  });

  test('goes through although the browser has dropped the connection to the storage', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('before'));
    world.page.outbox.close();
    await world.save(generatorDraft('after'));
    expect(await world.waiting()).toHaveLength(2);
  });

  test.each(['InvalidStateError', 'UnknownError'])(
    'goes through although the storage answers with %s, once',
    async (name) => {
      const world = await OfflineWorld.begin();
      const { outbox } = world.page;
      vi.spyOn(outbox, 'transaction').mockImplementationOnce(() => {
        return Dexie.Promise.reject(Object.assign(new Error('The connection is lost.'), { name })) as never;
      });
      await world.save(generatorDraft(name));
      expect(await world.waiting()).toHaveLength(1);
    },
  );

  test('survives another tab that brings a newer version of the storage', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('old-tab'));
    const newer = world.device.environment().outbox;
    newer.version(2).stores({ later: 'id' });
    await newer.open();
    await world.save(generatorDraft('still-there'));
    expect(await newer.entries.count()).toBe(2);
  });
});

describe('saves that were never attempted', () => {
  test('a create and its edit leave as one', async () => {
    const world = await OfflineWorld.begin();
    const created = await world.save(generatorDraft('merge'));
    const merged = await world.save(editOf(created, { origin: 'Spain' }, [photo('more')]));
    expect(merged.id).toBe(created.id);
    // a sender that has read the change already may not send it without the edit
    expect(merged.idempotencyKey).not.toBe(created.idempotencyKey);
    await world.drain();
    expect(world.sent.map(({ path, fields }) => [path, fields.get('origin')])).toEqual([
      ['/api/create-generator', 'Spain'],
    ]);
  });

  test('an edit of site meta is taken into one that an older version has queued without an id', async () => {
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

  test('the bytes of a change leave the storage when it is confirmed, not at the next look around', async () => {
    const world = await OfflineWorld.begin();
    for (const mark of ['first-bytes', 'later-bytes']) {
      await world.save(generatorDraft(mark));
      await world.drain();
      expect(await world.page.outbox.files.count()).toBe(0);
    }
  });

  test('a replaced file leaves the storage', async () => {
    const world = await OfflineWorld.begin();
    const created = await world.save(generatorDraft('replace'));
    const catalog = { ...generatorDraft('newer').files[0], field: 'catalog' } as PickedFile;
    const merged = await world.save(editOf(created, {}, [catalog]));
    expect(filesIn(merged).map(({ name }) => name)).toEqual(['replace-0.gif', 'newer.pdf']);
    expect(await world.page.outbox.files.count()).toBe(2);
  });

  test('a file can be taken out again', async () => {
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

  test('a create and a delete leave nothing behind and ask nothing of the server', async () => {
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

  test('undoing the delete brings back everything that came before it', async () => {
    const world = await OfflineWorld.begin();
    const created = await world.save(generatorDraft('undo'));
    const { recordId } = created.change as { recordId: string };
    const deletion = await world.save({ op: 'delete', resource: 'generators', recordId }, { undoFor: 6_000 });
    expect(await undo(world.page, deletion.id)).toBe(true);
    await world.drain();
    expect(world.sent.map(({ path }) => path)).toEqual(['/api/create-generator']);
    // pressed twice, it was taken back all the same
    expect(await undo(world.page, deletion.id)).toBe(true);
  });

  test('undoing a delete that found no server brings back what came before it, however long it waited', async () => {
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

  test('the same delete asked for twice is one', async () => {
    const world = await OfflineWorld.begin();
    const first = await world.save({ op: 'delete', resource: 'generators', recordId: '5' });
    const second = await world.save({ op: 'delete', resource: 'generators', recordId: '5' });
    expect(second.id).toBe(first.id);
  });
});

describe('after an attempt', () => {
  test('an edit queues behind the create and never changes what may be on the server', async () => {
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

  test('an edit made under the local id goes to the server’s record also when that is known already', async () => {
    const world = await OfflineWorld.begin();
    const created = await world.save(generatorDraft('late'));
    await world.drain();
    await world.save(editOf(created, { origin: 'Spain' }));
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(world.sent[1]?.path).toMatch(/^\/api\/get-single-generator\/\d+$/);
  });
});

describe('more files than one request may carry', () => {
  test('are no matter to this server: it takes the change whole', async () => {
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

  test('are one change, travel in several requests, in order, and all arrive', async () => {
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

describe('stored bytes that went bad', () => {
  test.each([
    ['emptied', new ArrayBuffer(0)],
    ['altered', new Uint8Array(52).fill(7).buffer],
  ])('%s, are never sent', async (_how, bytes) => {
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
