import { afterEach, describe, expect, it, vi } from 'vitest';
import { html, wholeWorker } from './support/whole-worker.ts';

afterEach(() => vi.unstubAllGlobals());

const PAGE = { url: 'index.html', revision: '1' };
const SCRIPT = { url: 'assets/main-a1b2.js', revision: null };
const gone = () => Promise.reject(new TypeError('Failed to fetch'));

type Worker = Awaited<ReturnType<typeof wholeWorker>>;

async function textAt({ request }: Worker, path: string): Promise<string | undefined> {
  const event = request(path);
  const text = await (await event.answer)?.text();
  await event.over();
  return text;
}

/** A file of the app with this text, as a server gives it: the page is HTML, and nothing else is. */
const file = (address: string, text = address) => (address.endsWith('.html') ? html(text) : new Response(text));

/** An answer that the browser was led to from another address. */
function redirected(text: string): Response {
  const clone = { value: () => redirected(text) };
  const page = html(text);
  page.headers.set('content-security-policy', "default-src 'self'");
  return Object.defineProperties(page, { redirected: { value: true }, clone });
}

describe('the files of the app', () => {
  it('are all there without a server, once the worker is installed', async () => {
    const worker = await wholeWorker({ files: [PAGE, SCRIPT], network: { answer: (address) => file(address) } });
    worker.network.answer = gone;
    expect(await textAt(worker, '/assets/main-a1b2.js')).toBe('https://voltdesk.test/assets/main-a1b2.js');
    expect(worker.installed).toEqual(['/assets/main-a1b2.js', '/index.html']);
  });

  it('are asked for past the browser’s own cache where their name does not change with them', async () => {
    const { reloaded } = await wholeWorker({ files: [PAGE, SCRIPT] });
    expect(reloaded).toEqual(['/index.html']);
  });

  it('are fetched anew where they have changed, and the older ones go', async () => {
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

  it('of the version that is open stay while a newer one waits, which takes nothing over', async () => {
    const before = await wholeWorker({ files: [PAGE, { ...SCRIPT, url: 'assets/old-1.js' }] });
    const { caches, scope } = await wholeWorker({ files: [PAGE, SCRIPT], caches: before.caches, waits: true });
    const [name = ''] = await caches.keys();
    expect(await (await caches.open(name)).match('/assets/old-1.js')).toBeDefined();
    expect(scope.claimed).toBe(0);
  });

  it('keep the worker up until the older ones are gone: else they fill the device', async () => {
    const { caches } = await wholeWorker({ files: [PAGE, SCRIPT] });
    await wholeWorker({ files: [PAGE], caches });
    const [name = ''] = await caches.keys();
    expect(await (await caches.open(name)).keys()).toHaveLength(1);
  });

  it('are not fetched once more where they are the same', async () => {
    const { caches } = await wholeWorker({ files: [PAGE, SCRIPT] });
    expect((await wholeWorker({ files: [PAGE, SCRIPT], caches })).installed).toEqual([]);
  });

  it('of a version that did not arrive whole are not used', async () => {
    const answer = (address: string) => (address.endsWith('.js') ? new Response('', { status: 404 }) : html('new'));
    await expect(wholeWorker({ files: [PAGE, SCRIPT], network: { answer } })).rejects.toThrow('answered 404');
  });

  it('are not taken from the page with which a network asks for a sign-in', async () => {
    const portal = { answer: () => html('<p>Welcome</p>') };
    const caches = (await wholeWorker({ files: [] })).caches;
    await expect(wholeWorker({ files: [PAGE, SCRIPT], caches, network: portal })).rejects.toThrow('main-a1b2.js');
    const answer = (address: string) => file(address, 'ours');
    const worker = await wholeWorker({ files: [PAGE, SCRIPT], caches, network: { answer } });
    expect(await textAt(worker, '/index.html')).toBe('ours');
  });

  it('open a screen also where the server has led to the page by another address: browsers refuse such an answer', async () => {
    const worker = await wholeWorker({ network: { answer: () => redirected('page') } });
    const answer = await worker.request('/login', 'navigate').answer;
    expect([answer?.redirected, await answer?.text()]).toEqual([false, 'page']);
    expect(answer?.headers.get('content-security-policy')).toBe("default-src 'self'");
  });
});

describe('a tool that a screen needs now and then', () => {
  const wasm = (name: string) => `/assets/${name}.wasm`;

  it.each([wasm('scan-1'), '/assets/pdf.worker-1.mjs'])(
    'is there without a server once it was used: %s',
    async (path) => {
      const worker = await wholeWorker();
      worker.network.answer = () => new Response('tool');
      await textAt(worker, path);
      worker.network.answer = gone;
      expect(await textAt(worker, path)).toBe('tool');
    },
  );

  it('is not taken from an answer that is an error', async () => {
    const worker = await wholeWorker();
    worker.network.answer = () => new Response('not there', { status: 404 });
    expect(await textAt(worker, wasm('scan-1'))).toBe('not there');
    worker.network.answer = () => new Response('scanner');
    expect(await textAt(worker, wasm('scan-1'))).toBe('scanner');
  });

  it('is not taken from the page with which a network asks for a sign-in', async () => {
    const worker = await wholeWorker();
    worker.network.answer = () => html('<p>Welcome</p>');
    await textAt(worker, wasm('scan-1'));
    worker.network.answer = () => new Response('scanner');
    expect(await textAt(worker, wasm('scan-1'))).toBe('scanner');
  });

  it('gives way when six others were fetched since', async () => {
    const worker = await wholeWorker();
    worker.network.answer = (address) => new Response(address);
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await textAt(worker, wasm(name));
    worker.asked.length = 0;
    for (const name of ['b', 'g', 'a']) await textAt(worker, wasm(name));
    expect(worker.asked).toEqual([wasm('a')]);
  });

  it('is used also on a device that has no room for it', async () => {
    const worker = await wholeWorker();
    worker.network.answer = () => new Response('scanner');
    await textAt(worker, wasm('a'));
    worker.fillUp();
    expect(await textAt(worker, wasm('b'))).toBe('scanner');
  });

  it.each(['/assets/main.js', '/api/tool.wasm', 'https://elsewhere.test/assets/a.wasm'])(
    'is no other file: %s',
    async (path) => {
      const { request } = await wholeWorker();
      expect(request(path).answer).toBeUndefined();
    },
  );
});
