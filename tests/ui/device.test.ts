import { NOTE_COOKIE, NOTE_LASTS } from '../../src/domain/protocol/device-notes.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OUTBOX_DATABASE } from '../../src/offline/storage/outbox-name.ts';

/** The code of the databases: whether it can be had. */
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

it('the code of the databases is asked for once, and again where it could not be had', async () => {
  code.missing = true;
  await expect(device()).rejects.toThrow('Failed to fetch');
  code.missing = false;
  const opened = await device();
  expect(await device()).toBe(opened);
  expect(code.loads).toBe(2);
});

it('what its storage does is told, and an engine that keeps transactions open leaves none behind', async () => {
  const opened = await device();
  expect(opened.watchStorage).toHaveBeenCalledWith(noteStorage);
  expect(opened.leaveNothingOpen).toHaveBeenCalledWith(window);
});

it.each([
  ['one that holds an outbox was', [{ name: 'other' }, { name: OUTBOX_DATABASE }], true],
  ['one with another app’s databases alone was not', [{ name: 'other' }], false],
])('of devices, %s used before', async (_, databases, used) => {
  vi.stubGlobal('indexedDB', { databases: async () => databases });
  expect(await hasOutbox()).toBe(used);
});

it('a device that cannot list its databases may have been used before', async () => {
  vi.stubGlobal('indexedDB', {});
  expect(await hasOutbox()).toBe(true);
});

it('a note survives in local storage and in a cookie that a server of this site can renew', async () => {
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

it('a cookie of the page is found by its whole name and read as it is sent', async () => {
  const { pageCookie } = await import('../../src/api/page-parts.ts');
  document.cookie = 'OLD-XSRF-TOKEN=other; path=/';
  document.cookie = 'XSRF-TOKEN=a%3D=b; path=/';
  expect(await pageCookie('XSRF-TOKEN')).toBe('a%3D=b');
  for (const name of ['OLD-XSRF-TOKEN', 'XSRF-TOKEN']) document.cookie = `${name}=; path=/; max-age=0`;
  expect(await pageCookie('XSRF-TOKEN')).toBeUndefined();
});
