import 'fake-indexeddb/auto';
import { vi } from 'vitest';
import { AnyRequest, FakeCaches, ORIGIN } from './fake-caches.ts';
import { FakeScope, FiredEvent } from './fake-scope.ts';

/** The app's page as the build has it. */
export const APP_PAGE = '<!doctype html><title>Voltdesk</title>';

type Network = (address: string) => Response | Promise<Response>;

interface Built {
  /** The files of this version of the app, and a revision where the name tells none. */
  readonly files: readonly { readonly url: string; readonly revision: string | null }[];
  /** What an earlier version of the worker has left on the device. */
  readonly caches: FakeCaches;
  readonly network: { answer: Network };
  /** Installed only: pages of an earlier version are open. */
  readonly waits: boolean;
}

/** The whole worker as built, installed in a browser's stead: what it answers to requests, and what it keeps. */
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
  /** What was asked for past the browser's own cache. */
  const reloaded: string[] = [];
  const globals = {
    __WB_MANIFEST: files,
    ExtendableEvent: FiredEvent,
    // one that is fired here is none: Workbox then takes it apart itself
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

  /** What the browser asks for; `via` is what it is for. */
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
