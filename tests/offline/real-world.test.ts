import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

beforeEach(() => vi.resetModules());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

interface Browser {
  readonly navigator?: object;
  readonly [name: string]: unknown;
}

/** What a page or worker finds in a browser with these globals. */
async function inBrowser({ navigator = {}, ...globals }: Browser = {}) {
  vi.stubGlobal('navigator', { userAgent: '', ...navigator });
  vi.stubGlobal('location', { origin: 'https://voltdesk.test' });
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  const module = await import('../../src/offline/storage/browser-environment.ts');
  return { ...module, environment: module.browserEnvironment() };
}

describe('in a browser', () => {
  test('each page has one environment of its own', async () => {
    const first = await inBrowser();
    expect(first.browserEnvironment()).toBe(first.environment);
    expect(first.environment).toMatchObject({ origin: 'https://voltdesk.test', keepsBlobs: true });
    vi.resetModules();
    expect((await inBrowser()).environment.holder).not.toBe(first.environment.holder);
  });

  test('a delayed call runs on time, unless it is cancelled', async () => {
    vi.useFakeTimers();
    const { environment } = await inBrowser();
    const done: string[] = [];
    environment.after(1_000, () => void done.push('work'));
    environment.after(1_000, () => void done.push('called off'))();
    vi.advanceTimersByTime(999);
    expect(done).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(done).toEqual(['work']);
    expect(environment.now()).toBe(Date.now());
  });

  test('the link is read from the browser each time', async () => {
    const navigator = { onLine: true, connection: { type: 'wifi' } };
    const { environment } = await inBrowser({ navigator });
    expect([environment.online(), environment.linkType?.()]).toEqual([true, 'wifi']);
    Object.assign(globalThis.navigator, { onLine: false, connection: undefined });
    expect([environment.online(), environment.linkType?.()]).toEqual([false, undefined]);
  });

  test('requests are passed on with their options', async () => {
    const fetch = vi.fn(async () => new Response('there'));
    const { environment } = await inBrowser({ fetch });
    const init = { method: 'POST' };
    expect(await (await environment.fetch('https://voltdesk.test/api', init)).text()).toBe('there');
    expect(fetch).toHaveBeenCalledWith('https://voltdesk.test/api', init);
  });

  test('missing features are left out', async () => {
    const { environment } = await inBrowser({ caches: undefined });
    expect(environment).not.toHaveProperty('locks');
    expect(environment).not.toHaveProperty('room');
    vi.resetModules();
    const bare = await inBrowser({ navigator: { storage: {} } });
    expect(bare.environment.room).toEqual({});
  });

  test('locks and storage methods are called on their own objects', async () => {
    const locks = {};
    class Manager {
      #quota = 5;
      #keeps = false;
      async estimate() {
        return { quota: this.#quota };
      }
      async persisted() {
        return this.#keeps;
      }
      async persist() {
        this.#keeps = true;
        return this.#keeps;
      }
    }
    const { environment } = await inBrowser({ navigator: { locks, storage: new Manager() } });
    const { room } = environment;
    expect(environment.locks).toBe(locks);
    expect(await room?.estimate?.()).toEqual({ quota: 5 });
    expect([await room?.persisted?.(), await room?.persist?.(), await room?.persisted?.()]).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('a worker reads its own cookies, and a page provides what it sees', async () => {
    const cookieStore = { get: async (name: string) => (name === 'known' ? { value: 'of the worker' } : null) };
    const { environment, providePageParts } = await inBrowser({ cookieStore });
    expect([await environment.cookie('known'), await environment.cookie('other')]).toEqual([
      'of the worker',
      undefined,
    ]);
    providePageParts({ cookie: async () => 'of the page', notes: [] });
    expect(await environment.cookie('known')).toBe('of the page');
    vi.resetModules();
    expect(await (await inBrowser({ cookieStore: undefined })).environment.cookie('known')).toBeUndefined();
  });

  test('notes are kept in the page’s places and in the Cache Storage', async () => {
    const kept = new Map<string, Response>();
    const cache = {
      match: async (key: string) => kept.get(key),
      put: async (key: string, value: Response) => void kept.set(key, value),
    };
    const names: string[] = [];
    const open = async (name: string) => {
      names.push(name);
      return cache;
    };
    vi.stubGlobal('navigator', { userAgent: '' });
    vi.stubGlobal('location', { origin: 'https://voltdesk.test' });
    vi.stubGlobal('caches', { open, has: async () => false });
    const module = await import('../../src/offline/storage/browser-environment.ts');
    const mine = { read: async () => 'mine', write: async () => undefined };
    module.providePageParts({ cookie: async () => undefined, notes: [mine] });
    const { notes, caches } = module.browserEnvironment();
    expect(notes[0]).toBe(mine);
    expect(notes).toHaveLength(2);
    expect(await notes[1]?.read('mark')).toBeUndefined();
    await notes[1]?.write('mark', 'one');
    expect([[...kept.keys()], await notes[1]?.read('mark')]).toEqual([['/notes/mark'], 'one']);
    expect(new Set(names)).toEqual(new Set(['voltdesk-notes']));
    expect(await caches?.delete('unknown')).toBe(false);
  });
});

test('each change of the link’s type is reported once, and no change within a type', async () => {
  const connection = Object.assign(new EventTarget(), { type: 'wifi' });
  vi.stubGlobal('navigator', { connection });
  const { onLinkType } = await import('../../src/offline/storage/link-type.ts');
  let told = 0;
  onLinkType(() => (told += 1));
  const become = (type: string) => {
    connection.type = type;
    connection.dispatchEvent(new Event('change'));
    return told;
  };
  expect(['wifi', 'cellular', 'cellular', 'wifi'].map(become)).toEqual([0, 1, 1, 2]);
  vi.stubGlobal('navigator', {});
  expect(() => onLinkType(() => {})).not.toThrow();
});
