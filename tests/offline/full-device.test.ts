import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { IDBObjectStore } from 'fake-indexeddb';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readList, writeList } from '../../src/offline/cache/cache.ts';
import { retry } from '../../src/offline/outbox/entry-commands.ts';
import { enqueue } from '../../src/offline/outbox/enqueue.ts';
import type { Environment } from '../../src/offline/storage/environment.ts';
import { queueState } from '../../src/offline/outbox/queries.ts';
import { drain } from '../../src/offline/sender/drain.ts';
import { CATALOGUE_CACHE, IMAGE_CACHE, removeFileCache } from '../../src/offline/storage/file-caches.ts';
import { StorageFullError } from '../../src/offline/storage/errors.ts';
import { readMeta } from '../../src/offline/storage/meta.ts';
import { withinQuota } from '../../src/offline/storage/quota.ts';
import { forgetSession, maySaveFor, rememberedSession, rememberSession } from '../../src/offline/storage/session.ts';
import { acknowledgeLoss, noticeLoss } from '../../src/offline/storage/storage-loss.ts';
import { generatorDraft, photo } from './support/drafts.ts';
import { json, OfflineWorld } from './support/offline-world.ts';

const MEGABYTE = 1024 * 1024;

/**
 * A device that can free three megabytes each from viewed pictures, cached lists and kept catalogues. `given` lists what
 * was cleared, in order.
 */
async function crowdedWorld(free: number) {
  const world = await OfflineWorld.begin('contract-only');
  const given: string[] = [];
  const quota = free + 9 * MEGABYTE;
  const room = { estimate: async () => ({ usage: quota - free - given.length * 3 * MEGABYTE, quota }) };
  const held = new Set([IMAGE_CACHE, CATALOGUE_CACHE]);
  const caches = { delete: async (name: string) => held.delete(name) && given.push(name) > 0 };
  const page = world.device.environment({ room, caches });
  const clear = page.cache.values.clear.bind(page.cache.values);
  vi.spyOn(page.cache.values, 'clear').mockImplementation(() => {
    given.push('lists');
    return clear();
  });
  return { page, given };
}

/** A file of this many bytes. */
function large(bytes: number) {
  return { ...photo('large'), blob: new Blob([new Uint8Array(bytes)]) };
}

/** The browser reports plenty of free space, as WebKit does on a full device. */
const plenty = { estimate: async () => ({ usage: 0, quota: 10 * 1024 * MEGABYTE }) };

/** A world on whose device every write fails for as long as `isFull` says. */
async function fullWorld(
  isFull: (page: Environment) => Promise<boolean> | boolean,
  failure: () => Error,
  before: (world: OfflineWorld) => Promise<unknown> = async () => {},
) {
  const world = await OfflineWorld.begin('contract-only');
  await before(world);
  const page = world.device.environment({ room: plenty });
  await writeList('generators', { rows: [], fetchedAt: 1 }, page.cache);
  let full = true;
  const clear = page.cache.values.clear.bind(page.cache.values);
  vi.spyOn(page.cache.values, 'clear').mockImplementation(() => {
    full = isFull(page) as boolean;
    return clear();
  });
  const { put, add } = IDBObjectStore.prototype;
  const refuse = (keep: typeof put) =>
    function store(this: IDBObjectStore, ...given: Parameters<typeof put>) {
      if (full) throw failure();
      return keep.apply(this as never, given);
    };
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(refuse(put as never) as never);
  vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(refuse(add as never) as never);
  return { world, page };
}

/** The notes outside name another database, as after a storage loss. */
async function lostBefore({ device }: OfflineWorld): Promise<void> {
  for (const place of device.places) place.set('outbox-mark', 'of a lost database');
}

const quota = () => new DOMException('The quota has been exceeded.', 'QuotaExceededError');
const ABOUT = { administrator: '1', title: '' };

afterEach(() => vi.restoreAllMocks());

describe('on a full device, whatever the browser estimates', () => {
  test.each<[string, () => Error]>([
    ['as it is', quota],
    ['in an aborted transaction', () => new Dexie.AbortError('Transaction aborted', quota())],
    ['among the failures of many writes', () => new Dexie.BulkError('1 of 2 operations failed', [quota()])],
    ['as the cause', () => new Error('It could not be kept.', { cause: quota() })],
  ])('a write that exceeds the quota (%s) clears the cache, and the save succeeds', async (_how, failure) => {
    const { page } = await fullWorld(() => false, failure);
    await expect(enqueue(page, generatorDraft('fits', 1), ABOUT)).resolves.toMatchObject({ state: 'pending' });
    expect(await readList('generators', page.cache)).toBeUndefined();
  });

  test('a save that does not fit is refused, without claiming free space', async () => {
    const { world, page } = await fullWorld(() => true, quota);
    const draft = { ...generatorDraft('full', 0), files: [large(3 * MEGABYTE)] };
    await expect(enqueue(page, draft, ABOUT)).rejects.toThrow('This device is full: no space for these 3.0 MB.');
    await expect(enqueue(page, { ...draft, files: [] }, ABOUT)).rejects.toThrow(/^This device is full\.$/);
    expect(await world.waiting()).toEqual([]);
  });

  test('a write that exceeds the quota clears caches one by one, and no more than needed', async () => {
    const held = new Set([IMAGE_CACHE, CATALOGUE_CACHE]);
    let full = true;
    const { page } = await fullWorld(() => full, quota);
    const caches = {
      delete: async (name: string) => {
        full = false;
        return held.delete(name);
      },
    };
    await enqueue({ ...page, caches }, generatorDraft('fits', 1), ABOUT);
    expect([...held]).toEqual([CATALOGUE_CACHE]);
  });

  test('a save continues with the next cache when one cannot be cleared', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { page } = await fullWorld(() => false, quota);
    const caches = { delete: () => Promise.reject(new DOMException('Forbidden.', 'SecurityError')) };
    const saved = enqueue({ ...page, caches }, generatorDraft('goes on', 1), ABOUT);
    await expect(saved).resolves.toMatchObject({ state: 'pending' });
  });

  test('a save that finally fails for another reason reports that reason', async () => {
    const { page } = await crowdedWorld(0);
    let tries = 0;
    const save = async () => {
      tries += 1;
      throw tries > 3 ? new Error('The disk is broken.') : quota();
    };
    await expect(withinQuota(page, MEGABYTE, save)).rejects.toThrow('The disk is broken.');
  });

  test('logging out works even when nothing can be written', async () => {
    const { page } = await fullWorld(() => true, quota);
    expect(await rememberedSession(page)).toBeDefined();
    const administrator = (await rememberedSession(page))?.administrator ?? '';
    await forgetSession(page);
    expect(await rememberedSession(page)).toBeUndefined();
    expect(await maySaveFor(administrator, page)).toBe(false);
  });

  test('a waiting change is sent after the cache is cleared', async () => {
    const { world, page } = await fullWorld(
      () => false,
      quota,
      (begun) => begun.save(generatorDraft('sent-full')),
    );
    await drain(page);
    expect(await world.waiting()).toEqual([]);
  });

  test('garbage collection after a drain clears the cache to record its time', async () => {
    let isFull = true;
    const world = await OfflineWorld.begin('contract-only');
    const clear = world.page.cache.values.clear.bind(world.page.cache.values);
    vi.spyOn(world.page.cache.values, 'clear').mockImplementation(() => {
      isFull = false;
      return clear();
    });
    const { put } = IDBObjectStore.prototype;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function store(this: IDBObjectStore, ...given) {
      if (isFull && (given[0] as { key?: string }).key === 'tidied') throw quota();
      return put.apply(this as never, given);
    });
    await world.drain();
    expect(await readMeta(world.page.outbox, 'tidied')).toBe(world.page.now());
  });

  test('a lost outbox is reported after the cache is cleared', async () => {
    const { page } = await fullWorld(() => false, quota, lostBefore);
    expect(await noticeLoss(page)).toBe(true);
    expect(await queueState(page)).toHaveProperty('lossNoticedAt');
  });

  test('a lost outbox is no longer reported once that was acknowledged', async () => {
    const { page } = await fullWorld(
      () => false,
      quota,
      async (world) => {
        await lostBefore(world);
        await noticeLoss(world.page);
      },
    );
    await acknowledgeLoss(page);
    expect(await noticeLoss(page)).toBe(false);
  });

  test('a waiting change is kept, and the drain reports a full device, when the sender cannot write', async () => {
    const { world } = await fullWorld(
      () => true,
      quota,
      (begun) => begun.save(generatorDraft('kept-full')),
    );
    await expect(world.drain()).rejects.toThrow(StorageFullError);
    expect(world.sent).toEqual([]);
    expect(await world.waiting()).toHaveLength(1);
  });

  test('Retry reports a full device', async () => {
    const { world, page } = await fullWorld(
      () => true,
      quota,
      async (begun) => {
        await begun.save(generatorDraft('retry-full'));
        begun.answerChanges(json(422, { message: 'No.', errors: {} }));
        await begun.drain();
      },
    );
    const [entry] = await world.waiting();
    await expect(retry(page, entry?.id ?? '')).rejects.toThrow(StorageFullError);
  });

  test('signing in works once the cache is cleared', async () => {
    const { page } = await fullWorld(() => false, quota);
    const session = { administrator: '9', name: 'Omar', token: 't', rememberAcrossRestarts: true };
    await rememberSession(session, page);
    expect(await rememberedSession(page)).toEqual(session);
  });
});

test('a cache is emptied file by file, since Chromium frees a deleted cache only when it is not in use', async () => {
  const log: string[] = [];
  const cache = {
    keys: async () => ['a.webp', 'b.webp'],
    delete: async (file: string) => log.push(file),
  };
  vi.stubGlobal('caches', {
    has: async (name: string) => name === IMAGE_CACHE,
    open: async () => cache,
    delete: async (name: string) => log.push(name) > 0,
  });
  expect(await removeFileCache(IMAGE_CACHE)).toBe(true);
  expect(await removeFileCache(CATALOGUE_CACHE)).toBe(false);
  expect(log).toEqual(['a.webp', 'b.webp', IMAGE_CACHE]);
  vi.unstubAllGlobals();
});

describe('the browser’s estimate', () => {
  test('is shown with the sizes when it is too small', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const room = { estimate: async () => ({ usage: 9 * MEGABYTE, quota: 12 * MEGABYTE }) };
    const draft = { ...generatorDraft('small', 0), files: [large(2 * MEGABYTE)] };
    await expect(enqueue(world.device.environment({ room }), draft, ABOUT)).rejects.toThrow(
      'This device is full: 4.0 MB needed, 3.0 MB free.',
    );
  });

  test.each([
    ['nothing when there is space', 6, []],
    ['the viewed pictures first', 3, [IMAGE_CACHE]],
    ['then the cached lists', 0, [IMAGE_CACHE, 'lists']],
    ['the kept catalogues last', -3, [IMAGE_CACHE, 'lists', CATALOGUE_CACHE]],
  ])('makes a save with files clear what can be fetched again: %s', async (_what, free, expected) => {
    const { page, given } = await crowdedWorld(free * MEGABYTE);
    await enqueue(page, { ...generatorDraft('crowded', 0), files: [large(3 * MEGABYTE)] }, ABOUT);
    expect(given).toEqual(expected);
  });

  test.each([
    ['is not available (Safari before 17)', {}],
    ['fails', { estimate: () => Promise.reject(new TypeError('Not here.')) }],
    ['never comes', { estimate: () => new Promise<never>(() => {}) }],
    ['is not a number', { estimate: async () => ({}) }],
  ])('does not prevent a save with files when it %s', async (_how, room) => {
    const world = await OfflineWorld.begin('contract-only');
    const page = world.device.environment({ room });
    const saved = enqueue(page, generatorDraft('saved', 2), ABOUT);
    // the device's clock advances only when told
    const clock = setInterval(() => world.device.pass(1_000), 20);
    await expect(saved.finally(() => clearInterval(clock))).resolves.toMatchObject({ state: 'pending' });
  });

  test('does not stop a change without files, which may still fit', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const room = { estimate: async () => ({ usage: 9 * MEGABYTE, quota: 9 * MEGABYTE }) };
    const draft = { ...generatorDraft('text', 0), files: [] };
    const saved = enqueue(world.device.environment({ room }), draft, ABOUT);
    await expect(saved).resolves.toMatchObject({ state: 'pending' });
  });

  test('counts as zero when more is used than allowed', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const room = { estimate: async () => ({ usage: 12 * MEGABYTE, quota: 9 * MEGABYTE }) };
    const draft = { ...generatorDraft('over', 0), files: [large(2 * MEGABYTE)] };
    await expect(enqueue(world.device.environment({ room }), draft, ABOUT)).rejects.toThrow(', 0.0 MB free.');
  });

  test('is shown as at least 0.1 MB, like the size needed, unless it is unknown', () => {
    expect(new StorageFullError(20_000, 1_000).message).toBe('This device is full: 0.1 MB needed, 0.1 MB free.');
    expect(new StorageFullError(1).message).toBe('This device is full: no space for these 0.1 MB.');
  });

  test('leaves no timer behind once it has arrived', async () => {
    const world = await OfflineWorld.begin('contract-only');
    await enqueue(world.device.environment({ room: plenty }), generatorDraft('in-time', 2), ABOUT);
    expect(world.device.timers.size).toBe(0);
  });
});
