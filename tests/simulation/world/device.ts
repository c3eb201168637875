import { linkReturned } from '../../../src/offline/outbox/entry-commands.ts';
import { cacheDatabase } from '../../../src/offline/storage/cache-database.ts';
import { drain } from '../../../src/offline/sender/drain.ts';
import type { Environment } from '../../../src/offline/storage/environment.ts';
import { outboxDatabase } from '../../../src/offline/storage/outbox-database.ts';
import { isWorkOverdue } from '../../../src/offline/sender/overdue.ts';
import { drainAwake } from '../../../src/offline/sender/drain-loop.ts';
import type { OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import { Random } from './random.ts';
import { IndexedDbWorld } from './indexed-db.ts';
import { LockWorld } from './locks.ts';
import type { Network } from './network.ts';
import type { Lane, Scheduler } from './scheduler.ts';

export const OUTBOX = 'simulated-outbox';
const CACHE = 'simulated-cache';
const ORIGIN = 'https://simulated.example';
const LOOK_EVERY = 60_000;

/** What a device is like. */
export interface DeviceTraits {
  /** False: no worker can be had, or it cannot send; the pages send. */
  readonly worker: boolean;
  readonly locks: boolean;
  readonly keepsBlobs: boolean;
}

/** A planted bug's way in: it changes what a page or a worker has of the world. */
export type Tamper = (environment: Environment, kind: Context['kind'], device: Device) => Environment;

/** A page or a worker: a lane of its own, and all of the outside world it has. */
export interface Context {
  readonly kind: 'page' | 'worker';
  readonly lane: Lane;
  readonly environment: Environment;
}

/** One browser profile: storage, locks, cookies and notes that its pages and its worker share. */
export class Device {
  readonly storage: IndexedDbWorld;
  readonly locks: LockWorld;
  readonly notes = new Map<string, string>();
  readonly traits: DeviceTraits;
  /** Bytes that are free, as the browser estimates. */
  room = Number.POSITIVE_INFINITY;
  /** How wrong the device's clock is, in milliseconds. */
  skew = 0;
  pages: Context[] = [];
  worker: Context | undefined;
  /** What went wrong inside in a way that nobody expected. */
  readonly oddities: string[] = [];
  readonly #scheduler: Scheduler;
  readonly #network: Network;
  readonly #seed: string;
  readonly #tamper: Tamper;
  #contexts = 0;

  constructor(scheduler: Scheduler, network: Network, seed: string, traits: DeviceTraits, tamper: Tamper) {
    this.#scheduler = scheduler;
    this.#network = network;
    this.#seed = seed;
    this.traits = traits;
    this.#tamper = tamper;
    this.storage = new IndexedDbWorld(scheduler);
    this.locks = new LockWorld(scheduler);
  }

  /** Makes the databases, as the first start of the app did long ago. */
  async install(): Promise<void> {
    const { environment, lane } = this.#context('page');
    let ready = false;
    this.#scheduler.soon(() => {
      void Promise.all([environment.outbox.open(), environment.cache.open()]).then(() => {
        ready = true;
        return environment;
      });
    }, lane);
    await this.#scheduler.run(this.#scheduler.now + 1_000, () => ready);
    this.kill({ kind: 'page', lane, environment });
  }

  openPage(): Context {
    const page = this.#context('page');
    this.pages.push(page);
    this.wake(page);
    this.#lookEveryMinute(page);
    return page;
  }

  /** Ends a page or the worker in the middle of whatever it does. */
  kill(context: Context): void {
    if (!context.lane.alive) return;
    this.#scheduler.trace(`${context.lane.name} is killed`);
    this.#scheduler.stop(context.lane);
    this.storage.kill(context.lane);
    this.locks.kill(context.lane);
    this.pages = this.pages.filter((page) => page !== context);
    if (this.worker === context) this.worker = undefined;
  }

  /** A page's hint that there is something to send. It may arrive at a worker that has to be started first. */
  wake(page: Context): void {
    if (!page.lane.alive) return;
    if (this.traits.worker) this.sync();
    else this.#drainIn(page, drain);
  }

  /** Every page and the worker begin to send in the same moment. */
  wakeAll(): void {
    for (const page of this.pages) this.#drainIn(page, drain);
    if (this.traits.worker) this.sync();
  }

  /** Background Sync, or a page's message: the worker drains. */
  sync(): void {
    this.worker ??= this.#context('worker');
    const { worker } = this;
    this.#scheduler.after(2, () => this.#drainIn(worker, drainAwake), worker.lane);
  }

  /** The radio is back, as a page hears it. */
  linkReturned(page: Context): void {
    this.#run(page, async () => {
      await linkReturned(page.environment);
      this.wake(page);
    });
  }

  /** The whole queue as stored, receipts too, uncommitted writes too. */
  entries(): OutboxEntry[] {
    return this.storage.rows<OutboxEntry>(OUTBOX, 'entries').toSorted((one, other) => one.sequence - other.sequence);
  }

  #drainIn(context: Context, how: typeof drain): void {
    this.#run(context, async () => {
      const { until } = await how(context.environment);
      if (until === undefined || context.kind === 'worker') return;
      const wait = Math.min(LOOK_EVERY, Math.max(0, until - context.environment.now()));
      context.environment.after(wait, () => this.wake(context));
    });
  }

  #lookEveryMinute(page: Context): void {
    this.#scheduler.after(
      LOOK_EVERY,
      () => {
        this.#run(page, async () => {
          if (await isWorkOverdue(page.environment, LOOK_EVERY)) this.#drainIn(page, drain);
          else this.wake(page);
        });
        this.#lookEveryMinute(page);
      },
      page.lane,
    );
  }

  #run({ lane }: Context, work: () => Promise<void>): void {
    this.#scheduler.soon(() => {
      work().catch((failure: unknown) => {
        if (lane.alive) this.oddities.push(`${lane.name}: ${String(failure)}`);
      });
    }, lane);
  }

  #context(kind: Context['kind']): Context {
    this.#contexts += 1;
    const lane: Lane = { name: `${kind}-${this.#contexts}`, alive: true };
    const environment = this.#tamper(this.#environment(kind, lane), kind, this);
    return { kind, lane, environment };
  }

  #environment(kind: Context['kind'], lane: Lane): Environment {
    const random = new Random(`${this.#seed}/${lane.name}`);
    const databases = this.storage.for(lane);
    return {
      holder: random.uuid(),
      origin: ORIGIN,
      outbox: outboxDatabase(OUTBOX, databases),
      cache: cacheDatabase(CACHE, databases),
      now: () => this.#scheduler.now + this.skew,
      random: () => random.next(),
      uuid: () => random.uuid(),
      after: (milliseconds, work) => this.#scheduler.after(milliseconds, work, lane),
      fetch: this.#network.for(lane),
      online: () => this.#network.online,
      cookie: async (name) => this.#network.jar.read(name),
      ...(this.traits.locks ? { locks: this.locks.for(lane) } : {}),
      room: {
        estimate: async () => (Number.isFinite(this.room) ? { usage: 0, quota: this.room } : {}),
        persisted: async () => true,
        persist: async () => true,
      },
      notes: [
        {
          read: async (key) => (kind === 'page' ? this.notes.get(key) : undefined),
          write: async (key, value) => {
            if (kind === 'page' && lane.alive) this.notes.set(key, value);
          },
        },
      ],
      keepsBlobs: this.traits.keepsBlobs,
    };
  }
}
