export const ORIGIN = 'https://voltdesk.test';

/** A request with any address and mode: Node's own supports neither relative addresses nor navigations. */
export class AnyRequest extends Request {
  constructor(input: Request | string | URL, init: RequestInit = {}) {
    const { mode = input instanceof Request ? input.mode : 'cors', ...rest } = init;
    super(input instanceof Request ? input : new URL(input, ORIGIN), rest);
    Object.defineProperty(this, 'mode', { value: mode });
  }
}

/** The Cache Storage, as far as the app uses it. */
export class FakeCaches {
  readonly #caches = new Map<string, FakeCache>();

  async open(name: string): Promise<FakeCache> {
    const cache = this.#caches.get(name) ?? new FakeCache();
    this.#caches.set(name, cache);
    return cache;
  }

  /** Makes the existing caches full. */
  fillUp(): void {
    for (const cache of this.#caches.values()) cache.isFull = true;
  }

  async match(
    request: Request | string,
    { cacheName = '', ...query }: MultiCacheQueryOptions = {},
  ): Promise<Response | undefined> {
    return (await this.open(cacheName)).match(request, query);
  }

  async keys(): Promise<string[]> {
    return [...this.#caches.keys()];
  }

  async has(name: string): Promise<boolean> {
    return this.#caches.has(name);
  }

  async delete(name: string): Promise<boolean> {
    return this.#caches.delete(name);
  }
}

class FakeCache {
  readonly #kept = new Map<string, Response>();
  isFull = false;

  /** Requests here never repeat their headers, so an answer that varies with them never matches. */
  async match(
    request: Request | string,
    { ignoreMethod = false, ignoreVary = false }: CacheQueryOptions = {},
  ): Promise<Response | undefined> {
    if (!ignoreMethod && typeof request !== 'string' && request.method !== 'GET') return undefined;
    const kept = this.#kept.get(addressOf(request));
    return !ignoreVary && kept?.headers.has('vary') === true ? undefined : kept?.clone();
  }

  async put(request: Request | string, response: Response): Promise<void> {
    if (this.isFull) throw new DOMException('full', 'QuotaExceededError');
    // read completely before anything is replaced: an answer that breaks off is not stored
    const bytes = await response.arrayBuffer();
    this.#kept.delete(addressOf(request));
    this.#kept.set(addressOf(request), new Response(bytes, response));
  }

  async keys(): Promise<Request[]> {
    return [...this.#kept.keys()].map((address) => new AnyRequest(address));
  }

  /** Takes a moment, as on a disk. */
  async delete(request: Request | string): Promise<boolean> {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return this.#kept.delete(addressOf(request));
  }
}

function addressOf(request: Request | string): string {
  return new URL(typeof request === 'string' ? request : request.url, ORIGIN).href;
}
