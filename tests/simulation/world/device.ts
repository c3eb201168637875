import { createWaker, LOOK_EVERY, type Waker } from '../../../src/api/waker.ts';
import { linkReturned, serverAnswered } from '../../../src/offline/outbox/entry-commands.ts';
import { ANTI_FORGERY_COOKIE } from '../../../src/domain/protocol/anti-forgery.ts';
import { type DraftStore, draftStore } from '../../../src/offline/drafts/drafts.ts';
import { drain } from '../../../src/offline/sender/drain.ts';
import type { Environment } from '../../../src/offline/storage/environment.ts';
import { draftsDatabase } from '../../../src/offline/storage/drafts-database.ts';
import { StorageStalledError } from '../../../src/offline/storage/errors.ts';
import { isLongInterrupted, isWorkOverdue } from '../../../src/offline/sender/overdue.ts';
import { type PageMessage, SYNC_TAG, type WorkerMessage } from '../../../src/offline/sender/worker-messages.ts';
import { upcast } from '../../../src/domain/outbox/upcast.ts';
import type { OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import { type DeviceTraits, DRAFTS, environmentOf, OUTBOX } from './environment.ts';
import { IndexedDbWorld } from './indexed-db.ts';
import { LockWorld } from './locks.ts';
import type { Network } from './network.ts';
import type { Lane, Scheduler } from './scheduler.ts';
import { BackgroundSync, SimulatedWorker } from './worker.ts';

/** How long pages pause for a worker handover. Milliseconds. */
const HANDOVER = 5_000;

/** The hook of a mutant: changes the environment of a page or a worker. */
export type Tamper = (environment: Environment, kind: Context['kind'], device: Device) => Environment;

/** A page or a worker: its own lane and its complete environment. */
export interface Context {
  readonly kind: 'page' | 'worker';
  readonly lane: Lane;
  readonly environment: Environment;
}

/** A page, and its decisions about who sends. */
export interface Page extends Context {
  readonly kind: 'page';
  readonly waker: Waker;
  /** Its access to the unsaved drafts. */
  readonly drafts: DraftStore;
  /** True while the page is not visible. */
  hidden: boolean;
}

/** A browser profile: storage, locks, cookies and messages, shared by its pages and its worker. */
export class Device {
  readonly storage: IndexedDbWorld;
  readonly locks: LockWorld;
  readonly notes = new Map<string, string>();
  readonly traits: DeviceTraits;
  /** Free bytes, as the browser estimates. */
  room = Number.POSITIVE_INFINITY;
  /** The error of the device's clock. Milliseconds. */
  skew = 0;
  pages: Page[] = [];
  /** Unexpected internal errors. */
  readonly oddities: string[] = [];
  readonly #scheduler: Scheduler;
  readonly #network: Network;
  readonly #seed: string;
  readonly #tamper: Tamper;
  readonly #sync: BackgroundSync;
  #worker: SimulatedWorker | undefined;
  /** Workers that a newer one has replaced and that finish what they are sending. */
  readonly #retired = new Set<SimulatedWorker>();
  /** Pages start nothing until then. The world's milliseconds. */
  #stillUntil = 0;
  #contexts = 0;
  /** Runs what the browser does by itself, independent of pages and workers. */
  readonly #browser: Lane = { name: 'browser', alive: true };

  constructor(scheduler: Scheduler, network: Network, seed: string, traits: DeviceTraits, tamper: Tamper) {
    this.#scheduler = scheduler;
    this.#network = network;
    this.#seed = seed;
    this.traits = traits;
    this.#tamper = tamper;
    this.storage = new IndexedDbWorld(scheduler);
    this.locks = new LockWorld(scheduler);
    this.#sync = new BackgroundSync(
      scheduler,
      () => network.online,
      (over) => this.#running().fire('sync', { tag: SYNC_TAG }, over),
    );
  }

  /** The active worker, if one is running. */
  get worker(): Context | undefined {
    return this.#worker?.context;
  }

  /** Creates the databases, as the app's first start did long ago. */
  async install(): Promise<void> {
    const { environment, lane } = this.#context('page');
    const drafts = draftsDatabase(DRAFTS, this.storage.for(lane));
    let ready = false;
    this.#scheduler.soon(() => {
      void Promise.all([environment.outbox.open(), environment.cache.open(), drafts.open()]).then(() => {
        ready = true;
        return environment;
      });
    }, lane);
    await this.#scheduler.run(this.#scheduler.now + 1_000, () => ready);
    this.kill({ kind: 'page', lane, environment });
  }

  openPage(): Page {
    const context = this.#context('page');
    const drafts = draftStore(draftsDatabase(DRAFTS, this.storage.for(context.lane)), this.traits.keepsBlobs);
    const waker = this.#waker(context, () => page.hidden);
    const page: Page = { ...context, kind: 'page', hidden: false, waker, drafts };
    this.pages.push(page);
    this.wake(page);
    this.#lookEveryMinute(page);
    return page;
  }

  /** Ends a page or the worker in the middle of its work. */
  kill(context: Context): void {
    if (!context.lane.alive) return;
    this.#scheduler.trace(`${context.lane.name} is killed`);
    this.#scheduler.stop(context.lane);
    this.storage.kill(context.lane);
    this.locks.kill(context.lane);
    this.pages = this.pages.filter(({ lane }) => lane !== context.lane);
    this.#ended(context);
    if (context.kind === 'page') this.#endWorkerWithoutPages();
  }

  /** A page's hint that there is something to send. The worker may have to be started first. */
  wake(page: Page): void {
    this.#scheduler.soon(() => page.waker.wake(), page.lane);
  }

  /** Makes every page and the worker start sending at the same moment. */
  wakeAll(): void {
    for (const page of this.pages) this.#sendFrom(page);
    this.#post({ type: 'DRAIN' });
  }

  /** The browser fires a sync event, requested or not. */
  sync(): void {
    if (this.traits.worker) this.#running().fire('sync', { tag: SYNC_TAG });
  }

  /** The link has returned: notifies the browser and every page. */
  linkReturned(): void {
    this.#sync.linkReturned();
    for (const page of this.pages) this.#scheduler.soon(() => page.waker.wake({ linkReturned: true }), page.lane);
  }

  /** Hides a page or shows it again. */
  look(page: Page, hidden: boolean): void {
    page.hidden = hidden;
    if (!hidden) this.#scheduler.soon(() => page.waker.wake({ linkReturned: true }), page.lane);
  }

  /** The user accepts a new version: pages pause, the old worker hands over, and the next wake-up starts the new one. */
  exchangeWorker(): void {
    const old = this.#worker;
    if (old === undefined) return;
    this.#stillUntil = this.#scheduler.now + HANDOVER;
    const message: WorkerMessage = { type: 'GIVE_WAY', milliseconds: HANDOVER };
    old.fire('message', { data: message });
    this.#retired.add(old);
    this.#worker = undefined;
  }

  /**
   * Another tab hangs in the middle of a transaction over the whole outbox, as in pages that WebKit keeps suspended. Nobody
   * else can use the storage for this many milliseconds. Then the tab is closed.
   */
  holdStorage(milliseconds: number): void {
    const { lane, environment } = this.#context('page');
    const { outbox } = environment;
    this.#scheduler.soon(() => {
      const hang = async () => {
        await outbox.entries.count();
        lane.frozenUntil = this.#scheduler.now + milliseconds;
        await outbox.entries.count();
      };
      outbox.transaction('rw', outbox.tables, hang).catch(() => undefined);
    }, lane);
    this.#scheduler.after(milliseconds, () => this.#closeTab(lane), this.#browser);
  }

  #closeTab(lane: Lane): void {
    this.#scheduler.stop(lane);
    this.storage.kill(lane);
  }

  /** The whole stored queue, including receipts and uncommitted writes. */
  entries(): OutboxEntry[] {
    const rows = this.storage.rows<OutboxEntry>(OUTBOX, 'entries').map(upcast);
    return rows.toSorted((one, other) => one.sequence - other.sequence);
  }

  #waker({ environment, lane }: Context, isHidden: () => boolean): Waker {
    const browserEnvironment = () => environment;
    const worker = { postMessage: (message: WorkerMessage) => this.#post(message) };
    return createWaker({
      device: async () => ({ browserEnvironment, isLongInterrupted, isWorkOverdue, linkReturned, serverAnswered }),
      sender: async () => ({ drain }),
      worker: () => (this.traits.worker ? worker : undefined),
      isHidden,
      cookie: async () => this.#network.jar.read(ANTI_FORGERY_COOKIE),
      keepsStill: () => this.#scheduler.now < this.#stillUntil,
      report: (failure) => this.#odd(lane, failure),
    });
  }

  #post(message: WorkerMessage): void {
    if (this.traits.worker) this.#running().fire('message', { data: message });
  }

  /** The active worker, started if necessary. */
  #running(): SimulatedWorker {
    if (this.#worker !== undefined) return this.#worker;
    const context = this.#context('worker');
    this.#worker = new SimulatedWorker(context, {
      scheduler: this.#scheduler,
      askForSync: this.traits.backgroundSync ? () => this.#sync.ask() : undefined,
      pages: () => this.pages.map((page) => this.#hears(page)),
      end: () => this.kill(context),
      odd: (failure) => this.#odd(context.lane, failure),
    });
    return this.#worker;
  }

  /** A page as its worker sees it. */
  #hears(page: Page) {
    const postMessage = ({ type }: PageMessage) => {
      if (type === 'SEND') this.#scheduler.soon(() => page.waker.sendHere(), page.lane);
    };
    return { postMessage };
  }

  #ended(context: Context): void {
    for (const worker of [...this.#retired, this.#worker]) {
      if (worker?.context !== context) continue;
      this.#retired.delete(worker);
      if (this.#worker === worker) this.#worker = undefined;
      worker.ended();
    }
  }

  /** The browser ends its worker some time after the last page was closed, even if it is busy. */
  #endWorkerWithoutPages(): void {
    const worker = this.#worker;
    const { workerOutlivesPages } = this.traits;
    if (this.pages.length > 0 || worker === undefined || !Number.isFinite(workerOutlivesPages)) return;
    const end = () => this.pages.length === 0 && this.kill(worker.context);
    this.#scheduler.after(workerOutlivesPages, end, this.#browser);
  }

  /** Records an unexpected error. Storage that does not answer is expected: the app shows that and tries again. */
  #odd(lane: Lane, failure: unknown): void {
    if (failure instanceof StorageStalledError) return;
    if (lane.alive) this.oddities.push(`${lane.name}: ${String(failure)}`);
  }

  #sendFrom({ environment, lane }: Page): void {
    this.#scheduler.soon(() => {
      drain(environment).catch((failure: unknown) => this.#odd(lane, failure));
    }, lane);
  }

  #lookEveryMinute(page: Page): void {
    this.#scheduler.after(
      LOOK_EVERY,
      () => {
        void page.waker.lookAgain();
        this.#lookEveryMinute(page);
      },
      page.lane,
    );
  }

  #context(kind: Context['kind']): Context {
    this.#contexts += 1;
    const lane: Lane = { name: `${kind}-${this.#contexts}`, alive: true };
    const environment = this.#tamper(this.#environment(kind, lane), kind, this);
    return { kind, lane, environment };
  }

  #environment(kind: Context['kind'], lane: Lane): Environment {
    const { storage, locks, notes, traits } = this;
    const shared = {
      storage,
      locks,
      notes,
      traits,
      seed: this.#seed,
      scheduler: this.#scheduler,
      network: this.#network,
    };
    return environmentOf(kind, lane, { ...shared, skew: () => this.skew, room: () => this.room });
  }
}
