import type { PageMessage } from '../src/offline/sender/worker-messages.ts';

/** An event that keeps the worker alive until its work is done. A sync whose work fails fires again later. */
interface LifetimeEvent {
  waitUntil(work: Promise<unknown>): void;
}

interface ScopeEvents {
  install: LifetimeEvent;
  activate: LifetimeEvent;
  message: LifetimeEvent & { readonly data: unknown };
  /** Background Sync, if the browser supports it. The standard library has no type for it. */
  sync: LifetimeEvent & { readonly tag: string };
  fetch: LifetimeEvent & { readonly request: Request; respondWith(answer: Promise<Response>): void };
}

/** The used part of a worker's global scope. The entry passes it to the other modules, and tests can replace it. */
export interface WorkerScope {
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: {
      type: 'window';
      includeUncontrolled: true;
    }): Promise<readonly { postMessage(message: PageMessage, transfer: []): void }[]>;
  };
  readonly registration: { readonly scope: string; readonly sync?: { register(tag: string): Promise<void> } };
  addEventListener<K extends keyof ScopeEvents>(type: K, listener: (event: ScopeEvents[K]) => void): void;
  skipWaiting(): Promise<void>;
}
