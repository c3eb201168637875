import { NOTE_COOKIE, NOTE_LASTS } from '../../src/domain/protocol/device-notes.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OUTBOX_DATABASE } from '../../src/offline/storage/outbox-name.ts';

/** The database code, and whether it can be loaded. */
const code = vi.hoisted(() => ({ missing: false, loads: 0 }));

const noteStorage = vi.hoisted(() => vi.fn());
vi.mock('../../src/stores/storage-health.ts', () => ({ noteStorage }));
vi.mock('../../src/offline/device.ts', () => ({
  get providePageParts() {
    code.loads += 1;
    if (code.missing) throw new TypeError('Failed to fetch dynamically imported module');
    return () => {};
  },
  watchStorage: vi.fn(),
  engineOf: () => ({ keepsTransactions: true }),
  leaveNothingOpen: vi.fn(),
}));

beforeEach(() => {
  vi.resetModules();
  code.missing = false;
  code.loads = 0;
});
afterEach(() => vi.unstubAllGlobals());

const { device, hasOutbox } = {
  device: () => page().then((one) => one.device()),
  hasOutbox: () => page().then((one) => one.hasOutbox()),
};
const page = () => import('../../src/api/device.ts');

it('loads the database code once, and again after a failure', async () => {
  code.missing = true;
  await expect(device()).rejects.toThrow('Failed to fetch');
  code.missing = false;
  const opened = await device();
  expect(await device()).toBe(opened);
  expect(code.loads).toBe(2);
});

it('watches the storage, and leaves no transaction open on an engine that keeps them', async () => {
  const opened = await device();
  expect(opened.watchStorage).toHaveBeenCalledWith(noteStorage);
  expect(opened.leaveNothingOpen).toHaveBeenCalledWith(window);
});

it.each([
  ['an outbox', [{ name: 'other' }, { name: OUTBOX_DATABASE }], true],
  ['only another app’s databases', [{ name: 'other' }], false],
])('detects the earlier use of a device by its outbox: %s', async (_, databases, used) => {
  vi.stubGlobal('indexedDB', { databases: async () => databases });
  expect(await hasOutbox()).toBe(used);
});

it('a device that cannot list its databases may have been used before', async () => {
  vi.stubGlobal('indexedDB', {});
  expect(await hasOutbox()).toBe(true);
});

it('keeps a note in local storage and in a cookie that the server can renew', async () => {
  const { pageNotes } = await import('../../src/api/page-parts.ts');
  const written = vi.spyOn(document, 'cookie', 'set');
  for (const notes of pageNotes) {
    expect(await notes.read('mark')).toBeUndefined();
    await notes.write('mark', 'value-1');
    expect(await notes.read('mark')).toBe('value-1');
  }
  expect(localStorage.getItem('mark')).toBe('value-1');
  expect(written.mock.lastCall).toEqual([`${NOTE_COOKIE}mark=value-1; path=/; max-age=${NOTE_LASTS}; samesite=lax`]);
  document.cookie = `${NOTE_COOKIE}mark=; path=/; max-age=0`;
  localStorage.clear();
  vi.restoreAllMocks();
});

it('finds a cookie by its whole name, and reads it undecoded', async () => {
  const { pageCookie } = await import('../../src/api/page-parts.ts');
  document.cookie = 'OLD-XSRF-TOKEN=other; path=/';
  document.cookie = 'XSRF-TOKEN=a%3D=b; path=/';
  expect(await pageCookie('XSRF-TOKEN')).toBe('a%3D=b');
  for (const name of ['OLD-XSRF-TOKEN', 'XSRF-TOKEN']) document.cookie = `${name}=; path=/; max-age=0`;
  expect(await pageCookie('XSRF-TOKEN')).toBeUndefined();
});
