import 'fake-indexeddb/auto';
import { vi } from 'vitest';
import { AnyRequest, FakeCaches, ORIGIN } from './fake-caches.ts';
import { FakeScope, FiredEvent } from './fake-scope.ts';

/** The built page of the app. */
export const APP_PAGE = '<!doctype html><title>Voltdesk</title>';

type Network = (address: string) => Response | Promise<Response>;

interface Built {
  /** The files of this version of the app, with a revision unless the name contains one. */
  readonly files: readonly { readonly url: string; readonly revision: string | null }[];
  /** The caches left on the device by an earlier version of the worker. */
  readonly caches: FakeCaches;
  readonly network: { answer: Network };
  /** Only installed: pages of an earlier version are open. */
  readonly waits: boolean;
}

/** Installs the complete worker as a browser does, to test its answers and what it stores. */
export async function wholeWorker({
  files = [{ url: 'index.html', revision: '1' }],
  caches = new FakeCaches(),
  network = {
    answer: (address) => (/\.\w+$/.test(address) && !address.endsWith('.html') ? new Response('') : html(APP_PAGE)),
  },
  waits = false,
}: Partial<Built> = {}) {
  const scope = new FakeScope();
  const asked: string[] = [];
  /** Requests that bypassed the browser's cache. */
  const reloaded: string[] = [];
  const globals = {
    __WB_MANIFEST: files,
    ExtendableEvent: FiredEvent,
    // fired events are not instances of it, so Workbox unwraps them itself
    FetchEvent: Event,
    location: new URL(`${ORIGIN}/service-worker.js`),
    registration: Object.assign(scope.registration, { scope: `${ORIGIN}/` }),
    clients: scope.clients,
    caches,
    fetch: async (request: Request | string, init?: RequestInit) => {
      const { url } = new Request(request);
      asked.push(new URL(url).pathname);
      if (init?.cache === 'reload') reloaded.push(new URL(url).pathname);
      return network.answer(url);
    },
  };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  vi.stubGlobal('self', Object.assign(scope, globals));
  vi.stubGlobal('Request', AnyRequest);
  vi.resetModules();
  await import('../../../sw/service-worker.ts');
  await scope.fire('install', {}).over();
  const installed = asked.splice(0);
  const activation = waits ? undefined : scope.fire('activate', {});
  await activation?.over();

  /** Fires a request of the browser; `via` is its purpose. */
  const request = (
    path: string,
    via: 'navigate' | 'image' | 'script' = 'script',
    init: RequestInit = {},
  ): FiredEvent => {
    const mode = via === 'navigate' ? via : 'same-origin';
    const wanted = new AnyRequest(path, { ...init, mode: mode as RequestMode });
    return scope.fire('fetch', { request: Object.defineProperty(wanted, 'destination', { value: via }) });
  };
  return { scope, request, network, asked, installed, activation, reloaded, caches, fillUp: () => caches.fillUp() };
}

export function html(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'text/html' } });
}

export function picture(bytes: string): Response {
  return new Response(bytes, { headers: { 'content-type': 'image/webp' } });
}

/** A picture whose connection is cut after its first bytes. */
export function cutPicture(): Response {
  const body = new ReadableStream<Uint8Array>({
    start(opened) {
      opened.enqueue(new TextEncoder().encode('by'));
    },
    pull(opened) {
      opened.error(new TypeError('Cut'));
    },
  });
  return new Response(body, { headers: { 'content-type': 'image/webp' } });
}
