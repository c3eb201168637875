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
import { forgetSession, rememberedSession, rememberSession } from '../../src/offline/storage/session.ts';
import { acknowledgeLoss, noticeLoss } from '../../src/offline/storage/storage-loss.ts';
import { generatorDraft, photo } from './support/drafts.ts';
import { json, OfflineWorld } from './support/offline-world.ts';

const MEGABYTE = 1024 * 1024;

/**
 * A device with three megabytes to be had from each: the pictures that were seen, the copies of lists, the catalogues that somebody
 * keeps. `given` tells which were given up, in order.
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

/** A file of so many bytes. */
function large(bytes: number) {
  return { ...photo('large'), blob: new Blob([new Uint8Array(bytes)]) };
}

/** The browser says that there is plenty of room, as WebKit does on a full device. */
const plenty = { estimate: async () => ({ usage: 0, quota: 10 * 1024 * MEGABYTE }) };

/** A world on whose device every write fails while `isFull` says so, as the browser tells it. */
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

/** Another database stood in this one's place, as the notes outside tell. */
async function lostBefore({ device }: OfflineWorld): Promise<void> {
  for (const place of device.places) place.set('outbox-mark', 'of a lost database');
}

const quota = () => new DOMException('The quota has been exceeded.', 'QuotaExceededError');
const ABOUT = { administrator: '1', title: '' };

afterEach(() => vi.restoreAllMocks());

describe('on a device without room, whatever the browser estimates', () => {
  test.each<[string, () => Error]>([
    ['as it is', quota],
    ['in an aborted transaction', () => new Dexie.AbortError('Transaction aborted', quota())],
    ['among the failures of many writes', () => new Dexie.BulkError('1 of 2 operations failed', [quota()])],
    ['as the cause', () => new Error('It could not be kept.', { cause: quota() })],
  ])('a write that fails for the quota (%s) gives up the cache, and the save goes through', async (_how, failure) => {
    const { page } = await fullWorld(() => false, failure);
    await expect(enqueue(page, generatorDraft('fits', 1), ABOUT)).resolves.toMatchObject({ state: 'pending' });
    expect(await readList('generators', page.cache)).toBeUndefined();
  });

  test('a save that fits nowhere is refused, and no free room is claimed', async () => {
    const { world, page } = await fullWorld(() => true, quota);
    const draft = { ...generatorDraft('full', 0), files: [large(3 * MEGABYTE)] };
    await expect(enqueue(page, draft, ABOUT)).rejects.toThrow('This device is full: no space for these 3.0 MB.');
    await expect(enqueue(page, { ...draft, files: [] }, ABOUT)).rejects.toThrow(/^This device is full\.$/);
    expect(await world.waiting()).toEqual([]);
  });

  test('a write that fails for the quota gives up one after the other, and no more than it takes', async () => {
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

  test('a save goes on to what else there is where something cannot be given up', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { page } = await fullWorld(() => false, quota);
    const caches = { delete: () => Promise.reject(new DOMException('Forbidden.', 'SecurityError')) };
    const saved = enqueue({ ...page, caches }, generatorDraft('goes on', 1), ABOUT);
    await expect(saved).resolves.toMatchObject({ state: 'pending' });
  });

  test('a save that fails for another reason in the end says that one', async () => {
    const { page } = await crowdedWorld(0);
    let tries = 0;
    const save = async () => {
      tries += 1;
      throw tries > 3 ? new Error('The disk is broken.') : quota();
    };
    await expect(withinQuota(page, MEGABYTE, save)).rejects.toThrow('The disk is broken.');
  });

  test('somebody can log out, though nothing at all can be written', async () => {
    const { page } = await fullWorld(() => true, quota);
    expect(await rememberedSession(page)).toBeDefined();
    await forgetSession(page);
    expect(await rememberedSession(page)).toBeUndefined();
  });

  test('what waits is sent, for which the cache is given up', async () => {
    const { world, page } = await fullWorld(
      () => false,
      quota,
      (begun) => begun.save(generatorDraft('sent-full')),
    );
    await drain(page);
    expect(await world.waiting()).toEqual([]);
  });

  test('what is old is looked through after all was sent, for which the cache is given up', async () => {
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

  test('a lost outbox is told, for which the cache is given up', async () => {
    const { page } = await fullWorld(() => false, quota, lostBefore);
    expect(await noticeLoss(page)).toBe(true);
    expect(await queueState(page)).toHaveProperty('lossNoticedAt');
  });

  test('a lost outbox is told no more once that was read', async () => {
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

  test('what waits is kept and said not to fit, where the sender can write nothing', async () => {
    const { world } = await fullWorld(
      () => true,
      quota,
      (begun) => begun.save(generatorDraft('kept-full')),
    );
    await expect(world.drain()).rejects.toThrow(StorageFullError);
    expect(world.sent).toEqual([]);
    expect(await world.waiting()).toHaveLength(1);
  });

  test('a press of Retry says so', async () => {
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

  test('somebody can sign in once the cache is given up', async () => {
    const { page } = await fullWorld(() => false, quota);
    const session = { administrator: '9', name: 'Omar', token: 't', rememberAcrossRestarts: true };
    await rememberSession(session, page);
    expect(await rememberedSession(page)).toEqual(session);
  });
});

test('a cache is removed file by file: Chromium gives the room of a whole one back only when nobody holds it', async () => {
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

describe('what the browser says of its room', () => {
  test('is told with the sizes where it is too small', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const room = { estimate: async () => ({ usage: 9 * MEGABYTE, quota: 12 * MEGABYTE }) };
    const draft = { ...generatorDraft('small', 0), files: [large(2 * MEGABYTE)] };
    await expect(enqueue(world.device.environment({ room }), draft, ABOUT)).rejects.toThrow(
      'This device is full: 4.0 MB needed, 3.0 MB free.',
    );
  });

  test.each([
    ['nothing where there is room', 6, []],
    ['the pictures that were seen', 3, [IMAGE_CACHE]],
    ['then the copies of lists', 0, [IMAGE_CACHE, 'lists']],
    ['the catalogues that somebody keeps last', -3, [IMAGE_CACHE, 'lists', CATALOGUE_CACHE]],
  ])('a save with files gives up what can be fetched again: %s', async (_what, free, expected) => {
    const { page, given } = await crowdedWorld(free * MEGABYTE);
    await enqueue(page, { ...generatorDraft('crowded', 0), files: [large(3 * MEGABYTE)] }, ABOUT);
    expect(given).toEqual(expected);
  });

  test.each([
    ['cannot be asked (Safari before 17)', {}],
    ['is not answered', { estimate: () => Promise.reject(new TypeError('Not here.')) }],
    ['never comes', { estimate: () => new Promise<never>(() => {}) }],
    ['is no number', { estimate: async () => ({}) }],
  ])('changes nothing where it %s: files are saved', async (_how, room) => {
    const world = await OfflineWorld.begin('contract-only');
    const page = world.device.environment({ room });
    const saved = enqueue(page, generatorDraft('saved', 2), ABOUT);
    // the device's clock runs only as far as it is let
    const clock = setInterval(() => world.device.pass(1_000), 20);
    await expect(saved.finally(() => clearInterval(clock))).resolves.toMatchObject({ state: 'pending' });
  });

  test('stops no change without files: it may fit all the same', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const room = { estimate: async () => ({ usage: 9 * MEGABYTE, quota: 9 * MEGABYTE }) };
    const draft = { ...generatorDraft('text', 0), files: [] };
    const saved = enqueue(world.device.environment({ room }), draft, ABOUT);
    await expect(saved).resolves.toMatchObject({ state: 'pending' });
  });

  test('is nothing, and not less, where more is used than may be', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const room = { estimate: async () => ({ usage: 12 * MEGABYTE, quota: 9 * MEGABYTE }) };
    const draft = { ...generatorDraft('over', 0), files: [large(2 * MEGABYTE)] };
    await expect(enqueue(world.device.environment({ room }), draft, ABOUT)).rejects.toThrow(', 0.0 MB free.');
  });

  test('is at least 0.1 MB in words, as what needs it is, unless there is none', () => {
    expect(new StorageFullError(20_000, 1_000).message).toBe('This device is full: 0.1 MB needed, 0.1 MB free.');
    expect(new StorageFullError(1).message).toBe('This device is full: no space for these 0.1 MB.');
  });

  test('is waited for no longer once it has come', async () => {
    const world = await OfflineWorld.begin('contract-only');
    await enqueue(world.device.environment({ room: plenty }), generatorDraft('in-time', 2), ABOUT);
    expect(world.device.timers.size).toBe(0);
  });
});
