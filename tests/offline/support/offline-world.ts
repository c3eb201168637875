import { afterAll, expect } from 'vitest';
import type { OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import type { ChangeDraft } from '../../../src/offline/outbox/change-draft.ts';
import { drain } from '../../../src/offline/sender/drain.ts';
import { enqueue } from '../../../src/offline/outbox/enqueue.ts';
import type { Environment } from '../../../src/offline/storage/environment.ts';
import { pendingEntries, receipts } from '../../../src/offline/outbox/queries.ts';
import type { PickedFile } from '../../../src/offline/storage/files.ts';
import {
  type BackendKind,
  contractOnlyBackend,
  ORIGIN,
  type OwnBackend,
  ownBackend,
  type TestBackend,
} from './backends.ts';
import { Device, type Wire } from './device.ts';

/** The sent request of a change. */
export interface Sent {
  readonly path: string;
  readonly key: string | null;
  readonly ifMatch: string | null;
  readonly fields: ReadonlyMap<string, string>;
}

let shared: { readonly file: string | undefined; readonly server: Promise<OwnBackend> } | undefined;

/** The real server is slow to start. The tests of a file share one and tell their records apart by marks. */
async function ownServer(): Promise<OwnBackend> {
  const { testPath: file } = expect.getState();
  if (shared !== undefined && shared.file !== file) await closeServer();
  shared ??= { file, server: ownBackend() };
  return shared.server;
}

async function closeServer(): Promise<void> {
  const before = shared;
  shared = undefined;
  await (await before?.server)?.close();
}

afterAll(closeServer);

async function backendOf(kind: BackendKind | 'together'): Promise<TestBackend> {
  if (kind === 'contract-only') return contractOnlyBackend();
  const own = await ownServer();
  return kind === 'together' ? own.together : own;
}

/** A complete offline environment: a server, a tablet with one page, a signed-in user, and a log of requests. */
export class OfflineWorld {
  readonly backend: TestBackend;
  readonly device: Device;
  readonly page: Environment;
  readonly sent: Sent[] = [];
  me = { id: '', token: '' };

  private constructor(backend: TestBackend) {
    this.backend = backend;
    this.device = new Device(backend);
    this.page = this.device.environment();
    this.goodLink();
  }

  /** `together`: the real server, with batches. */
  static async begin(kind: BackendKind | 'together' = 'own'): Promise<OfflineWorld> {
    const world = new OfflineWorld(await backendOf(kind));
    world.me = await world.device.signIn(world.page);
    world.sent.length = 0;
    return world;
  }

  /** Saves a change. Returns its entry. */
  save(draft: ChangeDraft, more: { undoFor?: number } = {}): Promise<OutboxEntry> {
    return enqueue(this.page, draft, { administrator: this.me.id, title: 'Title', ...more });
  }

  drain() {
    return drain(this.page);
  }

  /** Sends a request that the server executes. Its answer is held until `letGo` is called. */
  async drainHalfWay() {
    let letGo = () => {};
    let carriedOut = false;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    this.onChanges(async (request, pass) => {
      const response = await pass(request);
      carriedOut = true;
      await held;
      return response;
    });
    const drained = this.drain();
    await expect.poll(() => carriedOut).toBe(true);
    this.goodLink();
    return { drained, letGo };
  }

  waiting(): Promise<OutboxEntry[]> {
    return pendingEntries(this.page);
  }

  done(): Promise<OutboxEntry[]> {
    return receipts(this.page);
  }

  /** Makes the link good. Requests are logged. */
  goodLink(): void {
    this.device.wire = async (request, pass) => pass(await this.#note(request));
  }

  /** Handles changes in flight. Reads and everything else pass. */
  onChanges(wire: Wire): void {
    this.device.wire = async (request, pass) => {
      if (request.method !== 'POST') return pass(request);
      return wire(await this.#note(request), pass);
    };
  }

  /** Answers from something other than the server, one per change sent. After that the link is good. */
  answerChanges(...answers: readonly (() => Response)[]): void {
    const left = [...answers];
    this.onChanges(async (request, pass) => left.shift()?.() ?? pass(request));
  }

  /** The server executes each change, but its answer is replaced. */
  answersAreLost(seen: () => Response = cut): void {
    this.onChanges(async (request, pass) => {
      await pass(request);
      return seen();
    });
  }

  /** Makes the link good again and, after this many milliseconds, drains the queue. */
  async linkReturns(after = 10 * 60_000): Promise<void> {
    this.goodLink();
    this.device.pass(after);
    await this.drain();
  }

  /** Sends a change that arrives late: the server executes it only after its files are lost and another attempt is made. */
  async saveAndLoseFiles(draft: ChangeDraft): Promise<OutboxEntry> {
    const entry = await this.save(draft);
    const arrive = this.delayFirst(cut);
    await this.drain();
    await this.page.outbox.files.clear();
    await this.linkReturns(60_000);
    await arrive();
    return entry;
  }

  /** Delays the first change: the server executes it when the returned function is called. Every answer is `seen`. */
  delayFirst(seen: () => Response): () => Promise<void> {
    let arrive: (() => Promise<unknown>) | undefined;
    this.onChanges(async (request, pass) => {
      arrive ??= () => pass(request);
      return seen();
    });
    return async () => {
      await arrive?.();
    };
  }

  /** The server's generators from drafts with this mark. */
  async generators(mark: string): Promise<{ id: number; brand: string }[]> {
    const rows = await this.ask<{ id: number; brand: string }[]>('/api/get-generators');
    return rows.filter(({ brand }) => brand === `Brand ${mark}`);
  }

  /** Reads from the server over a good link. */
  async ask<T>(path: string): Promise<T> {
    const headers = { accept: 'application/json', authorization: `Bearer ${this.me.token}` };
    const response = await this.backend.handle(new Request(ORIGIN + path, { headers }));
    return (await response.json()) as T;
  }

  /** Another person's change on the server. Returns the answer's status. */
  async elsewhere(
    path: string,
    values: Readonly<Record<string, string>>,
    files: readonly PickedFile[] = [],
  ): Promise<number> {
    const body = new FormData();
    for (const [name, value] of Object.entries(values)) body.append(name, value);
    for (const { field, blob, name } of files) body.append(field === 'images' ? 'images[]' : field, blob, name);
    const cookie = [...this.device.cookies].map((pair) => pair.join('=')).join('; ');
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${this.me.token}`,
      'x-xsrf-token': decodeURIComponent(this.device.cookies.get('XSRF-TOKEN') ?? ''),
      cookie,
    };
    return (await this.backend.handle(new Request(ORIGIN + path, { method: 'POST', body, headers }))).status;
  }

  async #note(request: Request): Promise<Request> {
    if (request.method !== 'POST') return request;
    const form = await request
      .clone()
      .formData()
      .catch(() => new FormData());
    const fields = new Map([...form].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]));
    const { headers, url } = request;
    const path = new URL(url).pathname;
    this.sent.push({ path, key: headers.get('idempotency-key'), ifMatch: headers.get('if-match'), fields });
    return request;
  }
}

/** A JSON answer. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): () => Response {
  return () =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
}

/** An HTML page in place of JSON. */
export function page(status = 200): () => Response {
  return () => new Response('<p>Welcome</p>', { status, headers: { 'content-type': 'text/html' } });
}

/** A connection cut before any answer. */
export function cut(): Response {
  throw new TypeError('The connection was cut.');
}
