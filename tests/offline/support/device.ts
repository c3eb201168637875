import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { cacheDatabase } from '../../../src/offline/storage/cache-database.ts';
import type { Environment, Notes } from '../../../src/offline/storage/environment.ts';
import { outboxDatabase } from '../../../src/offline/storage/outbox-database.ts';
import { rememberSession } from '../../../src/offline/storage/session.ts';
import { ORIGIN, type TestBackend } from './backends.ts';

/** Handles a request in flight. Passes it on by default. */
export type Wire = (request: Request, pass: (request: Request) => Promise<Response>) => Promise<Response>;

/** A tablet: its storage, clock and cookies, and a wire to a server that a test can manipulate. */
export class Device {
  readonly factory = new IDBFactory();
  /** Notes outside the database: in local storage, in a cookie, in Cache Storage. */
  readonly places = [new Map<string, string>(), new Map<string, string>(), new Map<string, string>()];
  readonly cookies = new Map<string, string>();
  readonly timers = new Set<{ at: number; work: () => void }>();
  readonly backend: TestBackend;
  #time = Date.UTC(2026, 10, 20, 9);
  #passed = 0;
  online = true;
  /** As reported by the browser. Undefined if it is not. */
  linkType: string | undefined;
  wire: Wire = (request, pass) => pass(request);
  static #ids = 0;
  #environments = 0;

  constructor(backend: TestBackend) {
    this.backend = backend;
  }

  /** A page or worker on this device, with its own connections to the shared storage. */
  environment(overrides: Partial<Environment> = {}): Environment {
    const options = { indexedDB: this.factory, IDBKeyRange };
    this.#environments += 1;
    return {
      holder: `context-${this.#environments}`,
      origin: ORIGIN,
      outbox: outboxDatabase('outbox', options),
      cache: cacheDatabase('cache', options),
      now: () => this.time,
      elapsed: () => this.#passed,
      random: () => 0.5,
      uuid: () => this.uuid(),
      after: (milliseconds, work) => this.#schedule(milliseconds, work),
      fetch: (address, init) => this.fetch(address, init),
      online: () => this.online,
      linkType: () => this.linkType,
      cookie: async (name) => this.cookies.get(name),
      notes: this.places.map((place) => notesIn(place)),
      keepsBlobs: true,
      ...overrides,
    };
  }

  /** The clock, in epoch milliseconds. */
  get time(): number {
    return this.#time;
  }

  /** Time passes, or the clock is set back. */
  set time(time: number) {
    this.#passed += Math.max(0, time - this.#time);
    this.#time = time;
  }

  /** Sets the clock ahead or back by this many milliseconds. No time passes. */
  jump(milliseconds: number): void {
    this.#time += milliseconds;
  }

  /** Advances the clock and runs due timers in order. */
  pass(milliseconds: number): void {
    const until = this.time + milliseconds;
    for (;;) {
      const due = [...this.timers].filter(({ at }) => at <= until).toSorted((one, other) => one.at - other.at)[0];
      if (due === undefined) break;
      this.timers.delete(due);
      this.time = Math.max(this.time, due.at);
      due.work();
    }
    this.time = until;
  }

  uuid(): string {
    Device.#ids += 1;
    return `00000000-0000-4000-8000-${String(Device.#ids).padStart(12, '0')}`;
  }

  /** Signs in on the server and gives the session to the sender. */
  async signIn(environment: Environment, account = this.backend.accounts[0]): Promise<{ id: string; token: string }> {
    await this.fetch(`${ORIGIN}/api/user`, { headers: { accept: 'application/json' } });
    const response = await this.fetch(`${ORIGIN}/api/auth/login`, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'x-requested-with': 'XMLHttpRequest',
        'x-xsrf-token': decodeURIComponent(this.cookies.get('XSRF-TOKEN') ?? ''),
      },
      body: JSON.stringify(account),
    });
    const { user, token } = (await response.json()) as { user: { id: number; name: string }; token: string };
    const administrator = String(user.id);
    await rememberSession({ administrator, name: user.name, token, rememberAcrossRestarts: true }, environment);
    return { id: administrator, token };
  }

  /** Sends a request with cookies through the wire. */
  async fetch(address: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.cookies.size > 0) headers.set('cookie', [...this.cookies].map((pair) => pair.join('=')).join('; '));
    const request = new Request(address, { ...init, headers });
    const response = await abortable(
      this.wire(request, (passed) => this.backend.handle(passed)),
      init.signal ?? undefined,
    );
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (name !== undefined && value !== undefined) this.cookies.set(name, value);
    }
    return response;
  }

  #schedule(milliseconds: number, work: () => void): () => void {
    const timer = { at: this.time + milliseconds, work };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }
}

function notesIn(place: Map<string, string>): Notes {
  return { read: async (key) => place.get(key), write: async (key, value) => void place.set(key, value) };
}

function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
    work.then(resolve, reject);
  });
}
