import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cacheDatabase } from '../../src/offline/storage/cache-database.ts';
import { cacheNotes } from '../../src/offline/storage/cache-notes.ts';
import { draftsDatabase } from '../../src/offline/storage/drafts-database.ts';
import { outboxDatabase } from '../../src/offline/storage/outbox-database.ts';

/** A browser's own object, whose methods work only when called on it. */
class Storage {
  readonly #usage = 7;
  persist? = async () => this.#usage > 0;

  async estimate() {
    return { usage: this.#usage, quota: 10 };
  }

  async persisted() {
    return this.#usage > 7;
  }
}

const storage = new Storage();

/** The notes in the Cache Storage, by address. */
const noted = new Map<string, string>();

beforeEach(() => {
  vi.resetModules();
  noted.clear();
  vi.stubGlobal('location', { origin: 'https://voltdesk.test' });
  vi.stubGlobal('navigator', { userAgent: 'Chrome', onLine: true, storage });
  vi.stubGlobal('cookieStore', { get: async (name: string) => ({ value: `${name} of the store` }) });
  vi.stubGlobal('caches', {
    open: async () => ({
      match: async (address: string) => noted.has(address) && new Response(noted.get(address)),
      put: async (address: string, answer: Response) => noted.set(address, await answer.text()),
    }),
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const load = () => import('../../src/offline/storage/browser-environment.ts');

test('reads the link from the browser each time', async () => {
  const told = { userAgent: 'Chrome', onLine: true, connection: { type: 'wifi' } };
  vi.stubGlobal('navigator', told);
  const { online, linkType } = (await load()).browserEnvironment();
  expect([online(), linkType?.()]).toEqual([true, 'wifi']);
  Object.assign(told, { onLine: false, connection: { type: 'cellular' } });
  expect([online(), linkType?.()]).toEqual([false, 'cellular']);
});

test('draws random numbers, so that devices that fail together do not retry together', async () => {
  const { random } = (await load()).browserEnvironment();
  expect(new Set(Array.from({ length: 9 }, () => random())).size).toBeGreaterThan(1);
});

test('uses the browser’s locks and caches when it has them', async () => {
  const locks = { request: async () => undefined };
  vi.stubGlobal('navigator', { userAgent: 'Chrome', locks });
  const environment = (await load()).browserEnvironment();
  expect(environment.locks).toBe(locks);
  expect(environment.caches).toBeDefined();
  vi.resetModules();
  vi.stubGlobal('navigator', { userAgent: 'Chrome' });
  expect((await load()).browserEnvironment()).not.toHaveProperty('locks');
});

test('returns one environment per page', async () => {
  const { browserEnvironment } = await load();
  expect(browserEnvironment()).toBe(browserEnvironment());
  expect(browserEnvironment().origin).toBe('https://voltdesk.test');
});

test('gives every id only once', async () => {
  const { uuid, holder } = (await load()).browserEnvironment();
  expect(new Set([uuid(), uuid(), holder]).size).toBe(3);
  expect(uuid()).toMatch(/^[\da-f-]{36}$/);
});

test('runs a delayed call once, on time, unless it was cancelled', async () => {
  vi.useFakeTimers();
  const { after } = (await load()).browserEnvironment();
  const done: string[] = [];
  after(2_000, () => void done.push('done'));
  after(2_000, () => void done.push('called off'))();
  vi.advanceTimersByTime(1_999);
  expect(done).toEqual([]);
  vi.advanceTimersByTime(10_000);
  expect(done).toEqual(['done']);
});

test('reads cookies from the browser’s store in a worker, and as provided in a page', async () => {
  const { browserEnvironment, providePageParts } = await load();
  const { cookie } = browserEnvironment();
  expect(await cookie('XSRF-TOKEN')).toBe('XSRF-TOKEN of the store');
  providePageParts({ cookie: async (name) => `${name} of the page`, notes: [] });
  expect(await cookie('XSRF-TOKEN')).toBe('XSRF-TOKEN of the page');
});

test('keeps notes in the page’s places and in the caches, each under its own key', async () => {
  const { browserEnvironment, providePageParts } = await load();
  const ofPage = { read: async () => undefined, write: async () => {} };
  providePageParts({ cookie: async () => undefined, notes: [ofPage] });
  expect(browserEnvironment().notes).toHaveLength(2);
  expect(browserEnvironment().notes[0]).toBe(ofPage);
  await cacheNotes.write('one', '1');
  await cacheNotes.write('other', '2');
  expect([await cacheNotes.read('one'), await cacheNotes.read('other')]).toEqual(['1', '2']);
});

test('calls the browser’s storage methods on their own object', async () => {
  const { room } = (await load()).browserEnvironment();
  expect(await room?.estimate?.()).toEqual({ usage: 7, quota: 10 });
  expect([await room?.persisted?.(), await room?.persist?.()]).toEqual([false, true]);
});

test('leaves out storage methods that the browser lacks', async () => {
  vi.stubGlobal('navigator', { userAgent: 'Chrome', storage: { persisted: async () => false } });
  expect(Object.keys((await load()).browserEnvironment().room ?? {})).toEqual(['persisted']);
  vi.resetModules();
  vi.stubGlobal('navigator', { userAgent: 'Chrome' });
  expect((await load()).browserEnvironment()).not.toHaveProperty('room');
});

test('keeps the database names under which devices store the outbox, drafts and cache', () => {
  const names = [outboxDatabase(), draftsDatabase(), cacheDatabase()].map(({ name }) => name);
  expect(names).toEqual(['voltdesk-outbox', 'voltdesk-drafts', 'voltdesk-cache']);
});
