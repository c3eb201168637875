import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { SHARE_FAILED, SHARE_FIELD, SHARE_PATH } from '../../src/domain/share.ts';
import { SYNC_TAG } from '../../src/offline/sender/worker-messages.ts';
import { CATALOGUE_CACHE } from '../../src/offline/storage/file-caches.ts';
import { APP_PAGE, cutPicture, html, picture, wholeWorker } from './support/whole-worker.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('the address of a screen', () => {
  it.each([
    '/',
    '/login',
    '/generator-all',
    '/generator-edit/local-1',
    '/sete-meta-update',
    '/health',
    '/apian',
    '/uploadsome',
  ])('opens the app from the device, even when the server is down: %s', async (path) => {
    const { request, network, asked } = await wholeWorker();
    network.answer = () => Promise.reject(new TypeError('Failed to fetch'));
    const answer = await request(path, 'navigate').answer;
    expect(await answer?.text()).toBe(APP_PAGE);
    expect(asked).toEqual([]);
  });

  it.each(['/api', '/api/user', '/uploads', '/settings.json', '/healthz'])(
    'is left to the server when it is one of the server’s own: %s',
    async (path) => {
      const { request } = await wholeWorker();
      expect(request(path, 'navigate').answer).toBeUndefined();
    },
  );

  it('comes from the server when the browser has deleted the app’s files', async () => {
    const { request, caches, asked } = await wholeWorker();
    for (const name of await caches.keys()) await caches.delete(name);
    expect(await (await request('/generator-all', 'navigate').answer)?.text()).toBe(APP_PAGE);
    expect(asked).toEqual(['/generator-all']);
  });

  it('is left to the server for a POST', async () => {
    const { request } = await wholeWorker();
    expect(request('/generator-all', 'navigate', { method: 'POST' }).answer).toBeUndefined();
    expect(request('/index.html', 'script', { method: 'POST' }).answer).toBeUndefined();
    expect(request('/index.html', 'script').answer).toBeDefined();
  });
});

describe('a picture of a record', () => {
  type Worker = Awaited<ReturnType<typeof wholeWorker>>;

  /** What a list sees of the picture, once the worker has finished with it. */
  async function seen({ request }: Worker): Promise<string | undefined> {
    const event = request('/uploads/a.webp', 'image');
    const text = await (await event.answer)?.text();
    await event.over();
    return text;
  }

  it('is requested once, and then available without a server', async () => {
    const worker = await wholeWorker();
    worker.network.answer = () => picture('bytes');
    expect(await seen(worker)).toBe('bytes');
    worker.network.answer = () => Promise.reject(new TypeError('Failed to fetch'));
    expect(await seen(worker)).toBe('bytes');
    expect(worker.asked).toEqual(['/uploads/a.webp']);
  });

  it('keeps the worker alive until it is stored on the device', async () => {
    const { request } = await wholeWorker();
    expect(request('/uploads/a.webp', 'image').isHeld).toBe(true);
  });

  it('is removed after 500 others have been viewed', async () => {
    const worker = await wholeWorker();
    worker.network.answer = () => picture('bytes');
    const look = async (name: string) => {
      const event = worker.request(`/uploads/${name}.webp`, 'image');
      await event.answer;
      await event.over();
    };
    for (let n = 0; n < 501; n++) await look(String(n));
    worker.asked.length = 0;
    await look('500');
    await look('1');
    await look('0');
    expect(worker.asked).toEqual(['/uploads/0.webp']);
  });

  it.each([
    ['is re-stored when viewing it again should count', 0.1, 1],
    ['is not re-stored when it need not count', 0.9, 0],
  ])('%s', async (_what, chance, copies) => {
    vi.spyOn(Math, 'random').mockReturnValue(chance);
    const worker = await wholeWorker();
    worker.network.answer = () => picture('bytes');
    await seen(worker);
    const clone = vi.spyOn(Response.prototype, 'clone');
    await seen(worker);
    // the other copy is made by the cache itself
    expect(clone).toHaveBeenCalledTimes(1 + copies);
    vi.restoreAllMocks();
  });

  it('makes room on a full device: a picture that cannot be kept is still shown, and the others go', async () => {
    const worker = await wholeWorker();
    worker.network.answer = () => picture('bytes');
    await seen(worker);
    const full = worker.request('/uploads/b.webp', 'image');
    worker.fillUp();
    expect(await (await full.answer)?.text()).toBe('bytes');
    await full.over();
    worker.asked.length = 0;
    await seen(worker);
    expect(worker.asked).toEqual(['/uploads/a.webp']);
  });

  it('that breaks off leaves the others alone', async () => {
    const worker = await wholeWorker();
    worker.network.answer = () => picture('bytes');
    await seen(worker);
    worker.network.answer = () => cutPicture();
    const cut = worker.request('/uploads/b.webp', 'image');
    await expect((await cut.answer)?.text()).rejects.toThrow('Cut');
    await cut.over();
    worker.network.answer = () => picture('bytes');
    worker.asked.length = 0;
    await seen(worker);
    expect(worker.asked).toEqual([]);
  });

  it.each([
    ['a portal’s page', () => html('<p>Welcome</p>')],
    ['an error', () => new Response('', { status: 500, headers: { 'content-type': 'image/webp' } })],
    ['a partial picture', () => new Response('half', { status: 206, headers: { 'content-type': 'image/webp' } })],
  ])('does not keep %s in its place', async (_what, wrong) => {
    const worker = await wholeWorker();
    worker.network.answer = wrong;
    await seen(worker);
    worker.network.answer = () => picture('bytes');
    expect(await seen(worker)).toBe('bytes');
    expect(worker.asked).toHaveLength(2);
  });

  it.each([
    ['/uploads', 'image'],
    ['/api/get-generators', 'image'],
    ['https://elsewhere.test/uploads/a.webp', 'image'],
  ] as const)('does not cover another request: %s', async (path, via) => {
    const { request } = await wholeWorker();
    expect(request(path, via).answer).toBeUndefined();
  });
});

describe('a catalogue', () => {
  async function withKept(path: string) {
    const worker = await wholeWorker();
    const cache = await worker.caches.open(CATALOGUE_CACHE);
    const headers = { 'content-type': 'application/pdf', vary: 'accept-encoding' };
    await cache.put(path, new Response('kept', { headers }));
    worker.network.answer = () => Promise.reject(new TypeError('Failed to fetch'));
    return worker;
  }

  it.each([
    ['the viewer', 'script'],
    ['another tab', 'navigate'],
  ] as const)('that is kept opens without a server: %s', async (_what, via) => {
    const { request, asked } = await withKept('/uploads/a.pdf');
    const answer = await request('/uploads/a.pdf', via).answer;
    expect([await answer?.text(), answer?.headers.get('content-type')]).toEqual(['kept', 'application/pdf']);
    expect(asked).toEqual([]);
  });

  it('that is kept answers a HEAD request without a server', async () => {
    const { request } = await withKept('/uploads/a.pdf');
    const answer = await request('/uploads/a.pdf', 'script', { method: 'HEAD' }).answer;
    expect(answer?.ok).toBe(true);
  });

  it('that is not kept comes from the server every time', async () => {
    const worker = await wholeWorker();
    worker.network.answer = () => new Response('fetched');
    for (const via of ['script', 'navigate'] as const) {
      const event = worker.request('/uploads/b.pdf', via);
      expect(await (await event.answer)?.text()).toBe('fetched');
      await event.over();
    }
    expect(worker.asked).toEqual(['/uploads/b.pdf', '/uploads/b.pdf']);
  });

  it('is left to the server when only a range is requested', async () => {
    const { request } = await withKept('/uploads/a.pdf');
    expect(request('/uploads/a.pdf', 'script', { headers: { range: 'bytes=0-99' } }).answer).toBeUndefined();
  });

  it('stays when pictures have filled the device', async () => {
    const worker = await withKept('/uploads/a.pdf');
    worker.network.answer = () => picture('bytes');
    const look = async (name: string) => {
      const event = worker.request(`/uploads/${name}.webp`, 'image');
      await event.answer;
      await event.over();
    };
    await look('seen');
    worker.fillUp();
    await look('one-too-many');
    expect(await (await worker.request('/uploads/a.pdf').answer)?.text()).toBe('kept');
  });
});

describe('a request that writes', () => {
  it.each([
    '/api/create-generator',
    '/api/delete-generator/7',
    `/api/create-generator?from=${SHARE_PATH}`,
    '/api/auth/login',
    '/uploads/a.pdf',
    '/assets/scan-1.wasm',
    '/',
  ])('bypasses the worker: %s', async (path) => {
    const { request } = await wholeWorker();
    expect(request(path, 'script', { method: 'POST' }).answer).toBeUndefined();
  });

  it('from the share sheet is stored, and opens the screen that asks where the photos go', async () => {
    const { request } = await wholeWorker();
    const body = new FormData();
    body.append(SHARE_FIELD, new File(['photo'], 'image.jpg', { type: 'image/jpeg' }));
    body.append(SHARE_FIELD, new File(['other'], 'image.jpg', { type: 'image/jpeg' }));
    body.append(SHARE_FIELD, 'no photo');
    const redirect = vi.spyOn(Response, 'redirect').mockImplementation((to, status) => {
      return new Response(null, { status: status ?? 302, headers: { location: String(to) } });
    });
    const answer = await request(SHARE_PATH, 'navigate', { method: 'POST', body }).answer;
    expect([answer?.status, answer?.headers.get('location')]).toEqual([303, SHARE_PATH]);
    redirect.mockRestore();
    const { readShared } = await import('../../src/offline/drafts/shared-photos.ts');
    const photos = (await readShared())?.files ?? [];
    expect(photos).toMatchObject([1, 2].map(() => ({ name: 'image.jpg', type: 'image/jpeg' })));
    expect(await Promise.all(photos.map(({ blob }) => blob.text()))).toEqual(['photo', 'other']);
    expect(request(SHARE_PATH, 'script').answer).toBeUndefined();
  });

  it.each([
    ['once, and is taken in after the caches were evicted', 1, SHARE_PATH],
    ['to the end, and opens the screen that says so', 9, SHARE_FAILED],
  ])('by the device’s share sheet finds the device full %s', async (_what, times, opened) => {
    const { request } = await wholeWorker();
    const told = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { Dexie } = await import('dexie');
    const original = Dexie.prototype.transaction as (...of: unknown[]) => unknown;
    let refusals = 0;
    vi.spyOn(Dexie.prototype, 'transaction').mockImplementation(function (this: { name: string }, ...of: unknown[]) {
      const isRefused = this.name === 'voltdesk-drafts' && of[0] === 'rw' && refusals < times;
      if (!isRefused) return original.apply(this, of) as never;
      refusals += 1;
      return Dexie.Promise.reject(new DOMException('Full', 'QuotaExceededError')) as never;
    });
    vi.spyOn(Response, 'redirect').mockImplementation((to, status) => {
      return new Response(null, { status: status ?? 302, headers: { location: String(to) } });
    });
    const body = new FormData();
    body.append(SHARE_FIELD, new File(['photo'], 'image.jpg', { type: 'image/jpeg' }));
    const answer = await request(SHARE_PATH, 'navigate', { method: 'POST', body }).answer;
    expect([answer?.status, answer?.headers.get('location')]).toEqual([303, opened]);
    expect(told).toHaveBeenCalledTimes(opened === SHARE_FAILED ? 1 : 0);
  });
});

test('the worker claims the open pages and listens to pages, syncs and new versions', async () => {
  const { scope, activation } = await wholeWorker();
  expect([scope.claimed, activation?.isHeld]).toEqual([1, true]);
  expect(scope.fire('message', { data: { type: 'DRAIN' } }).isHeld).toBe(true);
  expect(scope.fire('sync', { tag: SYNC_TAG }).isHeld).toBe(true);
  scope.fire('message', { data: { type: 'SKIP_WAITING' } });
  expect(scope.skippedWaiting).toBe(1);
});
