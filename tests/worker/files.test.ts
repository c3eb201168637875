import { afterEach, describe, expect, it, vi } from 'vitest';
import { html, wholeWorker } from './support/whole-worker.ts';

afterEach(() => vi.unstubAllGlobals());

const PAGE = { url: 'index.html', revision: '1' };
const SCRIPT = { url: 'assets/main-a1b2.js', revision: null };
const LIST = { url: 'assets/files-1.json', revision: null };
const listOf = (...names: readonly string[]) => new Response(JSON.stringify(names));
const absolute = (url: string) => `https://voltdesk.test/${url}`;
const gone = () => Promise.reject(new TypeError('Failed to fetch'));

type Worker = Awaited<ReturnType<typeof wholeWorker>>;

async function textAt({ request }: Worker, path: string): Promise<string | undefined> {
  const event = request(path);
  const text = await (await event.answer)?.text();
  await event.over();
  return text;
}

/** A file of the app with this text, as a server sends it: only the page is HTML. */
const file = (address: string, text = address) => (address.endsWith('.html') ? html(text) : new Response(text));

/** An answer that was redirected from another address. */
function redirected(text: string): Response {
  const clone = { value: () => redirected(text) };
  const page = html(text);
  page.headers.set('content-security-policy', "default-src 'self'");
  return Object.defineProperties(page, { redirected: { value: true }, clone });
}

describe('the files of the app', () => {
  it('are all available without a server once the worker is installed', async () => {
    const worker = await wholeWorker({ files: [PAGE, SCRIPT], network: { answer: (address) => file(address) } });
    worker.network.answer = gone;
    expect(await textAt(worker, '/assets/main-a1b2.js')).toBe('https://voltdesk.test/assets/main-a1b2.js');
    expect(worker.installed).toEqual(['/assets/main-a1b2.js', '/index.html']);
  });

  it('bypass the browser’s cache unless their name changes with their content', async () => {
    const { reloaded } = await wholeWorker({ files: [PAGE, SCRIPT] });
    expect(reloaded).toEqual(['/index.html']);
  });

  it('are downloaded again when they have changed, and the old ones are deleted', async () => {
    const answer = (address: string) => file(address, 'old');
    const before = await wholeWorker({ files: [PAGE, SCRIPT], network: { answer } });
    const files = [{ ...PAGE, revision: '2' }, SCRIPT];
    const worker = await wholeWorker({ files, caches: before.caches, network: { answer: () => html('new') } });
    expect(worker.installed).toEqual(['/index.html']);
    expect(await textAt(worker, '/index.html')).toBe('new');
    expect(await textAt(worker, '/assets/main-a1b2.js')).toBe('old');
    const [name = ''] = await worker.caches.keys();
    expect(await (await worker.caches.open(name)).keys()).toHaveLength(2);
  });

  it('of the open version stay while a newer one waits, which claims no page', async () => {
    const before = await wholeWorker({ files: [PAGE, { ...SCRIPT, url: 'assets/old-1.js' }] });
    const { caches, scope } = await wholeWorker({ files: [PAGE, SCRIPT], caches: before.caches, waits: true });
    const [name = ''] = await caches.keys();
    expect(await (await caches.open(name)).match('/assets/old-1.js')).toBeDefined();
    expect(scope.claimed).toBe(0);
  });

  it('keep the worker alive until the old ones are deleted, so that they do not fill the device', async () => {
    const { caches } = await wholeWorker({ files: [PAGE, SCRIPT] });
    await wholeWorker({ files: [PAGE], caches });
    const [name = ''] = await caches.keys();
    expect(await (await caches.open(name)).keys()).toHaveLength(1);
  });

  it('are not downloaded again when they are unchanged', async () => {
    const { caches } = await wholeWorker({ files: [PAGE, SCRIPT] });
    expect((await wholeWorker({ files: [PAGE, SCRIPT], caches })).installed).toEqual([]);
  });

  it('are also those that a list names, which arrives first', async () => {
    const answer = (address: string) => (address === absolute(LIST.url) ? listOf('assets/a-1.js') : file(address));
    const worker = await wholeWorker({ files: [PAGE, LIST], network: { answer } });
    worker.network.answer = gone;
    expect(worker.installed).toEqual(['/assets/files-1.json', '/assets/a-1.js', '/index.html']);
    expect(await textAt(worker, '/assets/a-1.js')).toBe('https://voltdesk.test/assets/a-1.js');
  });

  it('that a list named are deleted once a newer one does not', async () => {
    const answer = (names: readonly string[]) => (address: string) =>
      address.endsWith('.json') ? listOf(...names) : file(address);
    const before = ['assets/a-1.js', 'assets/b-1.js'];
    const { caches } = await wholeWorker({ files: [PAGE, LIST], network: { answer: answer(before) } });
    const files = [PAGE, { ...LIST, url: 'assets/files-2.json' }];
    const network = { answer: answer(['assets/a-1.js', 'assets/b-2.js']) };
    const worker = await wholeWorker({ files, caches, network });
    expect(worker.installed).toEqual(['/assets/files-2.json', '/assets/b-2.js']);
    const [name = ''] = await caches.keys();
    const stored = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
    expect(stored.toSorted()).toEqual(['/assets/a-1.js', '/assets/b-2.js', '/assets/files-2.json', '/index.html']);
  });

  it.each([
    ['does not arrive', () => new Response('', { status: 404 })],
    ['is a network’s sign-in page', () => html('<p>Welcome</p>')],
    ['is cut short', () => new Response('["assets/a-1')],
  ])('are not used when their list %s', async (_fault, list) => {
    const answer = (address: string) => (address.endsWith('.json') ? list() : file(address));
    const { caches } = await wholeWorker({ files: [] });
    await expect(wholeWorker({ files: [PAGE, LIST], caches, network: { answer } })).rejects.toThrow();
    const good = (address: string) => (address.endsWith('.json') ? listOf('assets/a-1.js') : file(address));
    const { installed } = await wholeWorker({ files: [PAGE, LIST], caches, network: { answer: good } });
    expect(installed).toEqual(['/assets/files-1.json', '/assets/a-1.js', '/index.html']);
  });

  it('come from the server if the browser has removed them', async () => {
    const { request, network } = await wholeWorker();
    network.answer = () => new Response('from the server');
    expect(await (await request('/assets/gone-1.js').answer)?.text()).toBe('from the server');
  });

  it('are not used when a version did not arrive complete', async () => {
    const answer = (address: string) => (address.endsWith('.js') ? new Response('', { status: 404 }) : html('new'));
    await expect(wholeWorker({ files: [PAGE, SCRIPT], network: { answer } })).rejects.toThrow(': 404');
  });

  it('are not taken from a network’s sign-in page', async () => {
    const portal = { answer: () => html('<p>Welcome</p>') };
    const caches = (await wholeWorker({ files: [] })).caches;
    await expect(wholeWorker({ files: [PAGE, SCRIPT], caches, network: portal })).rejects.toThrow('main-a1b2.js');
    const answer = (address: string) => file(address, 'ours');
    const worker = await wholeWorker({ files: [PAGE, SCRIPT], caches, network: { answer } });
    expect(await textAt(worker, '/index.html')).toBe('ours');
  });

  it('open a screen even after a redirect, which browsers refuse as an answer to a navigation', async () => {
    const worker = await wholeWorker({ network: { answer: () => redirected('page') } });
    const answer = await worker.request('/login', 'navigate').answer;
    expect([answer?.redirected, await answer?.text()]).toEqual([false, 'page']);
    expect(answer?.headers.get('content-security-policy')).toBe("default-src 'self'");
  });
});

describe('a tool that a screen rarely needs', () => {
  const wasm = (name: string) => `/assets/${name}.wasm`;

  it.each([wasm('scan-1'), '/assets/pdf.worker-1.mjs'])(
    'is available without a server once it was used: %s',
    async (path) => {
      const worker = await wholeWorker();
      worker.network.answer = () => new Response('tool');
      await textAt(worker, path);
      worker.network.answer = gone;
      expect(await textAt(worker, path)).toBe('tool');
    },
  );

  it('is not taken from an error response', async () => {
    const worker = await wholeWorker();
    worker.network.answer = () => new Response('not there', { status: 404 });
    expect(await textAt(worker, wasm('scan-1'))).toBe('not there');
    worker.network.answer = () => new Response('scanner');
    expect(await textAt(worker, wasm('scan-1'))).toBe('scanner');
  });

  it('is not taken from a network’s sign-in page', async () => {
    const worker = await wholeWorker();
    worker.network.answer = () => html('<p>Welcome</p>');
    await textAt(worker, wasm('scan-1'));
    worker.network.answer = () => new Response('scanner');
    expect(await textAt(worker, wasm('scan-1'))).toBe('scanner');
  });

  it('is removed after six others have been fetched', async () => {
    const worker = await wholeWorker();
    worker.network.answer = (address) => new Response(address);
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await textAt(worker, wasm(name));
    worker.asked.length = 0;
    for (const name of ['b', 'g', 'a']) await textAt(worker, wasm(name));
    expect(worker.asked).toEqual([wasm('a')]);
  });

  it('works on a device that has no room to store it', async () => {
    const worker = await wholeWorker();
    worker.network.answer = () => new Response('scanner');
    await textAt(worker, wasm('a'));
    worker.fillUp();
    expect(await textAt(worker, wasm('b'))).toBe('scanner');
  });

  it.each(['/assets/main.txt', '/api/tool.wasm', 'https://elsewhere.test/assets/a.wasm'])(
    'does not cover another file: %s',
    async (path) => {
      const { request } = await wholeWorker();
      expect(request(path).answer).toBeUndefined();
    },
  );
});
