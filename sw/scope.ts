import type { PageMessage } from '../src/offline/sender/worker-messages.ts';

/** An event that keeps the worker up until its work is over. A sync whose work fails is fired again later. */
interface LifetimeEvent {
  waitUntil(work: Promise<unknown>): void;
}

interface ScopeEvents {
  install: LifetimeEvent;
  activate: LifetimeEvent;
  message: LifetimeEvent & { readonly data: unknown };
  /** Background Sync, where the browser has it; the standard library does not know it. */
  sync: LifetimeEvent & { readonly tag: string };
  fetch: LifetimeEvent & { readonly request: Request; respondWith(answer: Promise<Response>): void };
}

/** The part of a worker's global scope that is used: what the entry gives to the rest, and a test can stand in for. */
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
