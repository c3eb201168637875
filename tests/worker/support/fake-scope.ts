import type { PageMessage } from '../../../src/offline/sender/worker-messages.ts';
import type { WorkerScope } from '../../../sw/scope.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An event that a browser fires at a worker, and the worker's reaction. */
export class FiredEvent {
  readonly #held: Promise<unknown>[] = [];
  #answer: Promise<Response> | undefined;

  waitUntil(work: Promise<unknown>): void {
    // `over` reports failures
    work.catch(() => undefined);
    this.#held.push(work);
  }

  respondWith(answer: Promise<Response>): void {
    this.#answer = Promise.resolve(answer);
  }

  /** True if the worker has asked to stay alive for it. */
  get isHeld(): boolean {
    return this.#held.length > 0;
  }

  /** The worker's own answer. Undefined if it leaves the request to the browser. */
  get answer(): Promise<Response> | undefined {
    return this.#answer;
  }

  /** Resolves when the work that keeps the worker alive is over. Rejects if some of it failed. */
  async over(): Promise<void> {
    await Promise.all(this.#held);
  }
}

/** A worker's global scope: a test fires the browser's events, and sees the worker's calls to the browser. */
export class FakeScope implements WorkerScope {
  readonly syncTags: string[] = [];
  /** Without `sync`, the browser has no Background Sync. */
  readonly registration: { readonly scope: string; sync?: { register(tag: string): Promise<void> } } = {
    scope: 'https://voltdesk.test/',
    sync: { register: async (tag) => void this.syncTags.push(tag) },
  };
  /** The messages to each open page. */
  readonly pages: PageMessage[][] = [];
  /** How often the worker has claimed the pages that were open before it. */
  claimed = 0;
  /** The pages were opened before the worker took over, so they are listed only as uncontrolled pages. */
  readonly clients = {
    claim: async () => void (this.claimed += 1),
    matchAll: async ({ includeUncontrolled = false }: { includeUncontrolled?: boolean } = {}) =>
      (includeUncontrolled ? this.pages : []).map((told) => ({
        postMessage: (message: PageMessage) => void told.push(message),
      })),
  };
  skippedWaiting = 0;
  readonly #listeners = new Map<string, ((event: never) => void)[]>();

  addEventListener(type: string, listener: (event: never) => void): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  async skipWaiting(): Promise<void> {
    this.skippedWaiting += 1;
  }

  fire(type: string, fields: Fields): FiredEvent {
    const event = Object.assign(new FiredEvent(), { type }, fields);
    for (const listener of this.#listeners.get(type) ?? []) listener(event as never);
    return event;
  }
}
