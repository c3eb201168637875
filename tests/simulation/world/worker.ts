import { sendOnMessage, sendOnSync } from '../../../sw/sending.ts';
import { updateWhenAsked } from '../../../sw/updates.ts';
import { withPages } from '../../../sw/with-pages.ts';
import type { PageMessage } from '../../../src/offline/sender/worker-messages.ts';
import { FakeScope } from '../../worker/support/fake-scope.ts';
import type { Context } from './device.ts';
import type { Lane, Scheduler } from './scheduler.ts';

/** How long an idle worker stays alive, as in Chromium. Milliseconds. */
const IDLE = 30_000;
/** The browser ends a worker whose event takes longer. Milliseconds. */
const LONGEST_EVENT = 5 * 60_000;
/** The latency of a message or event to a worker. Milliseconds. */
const ON_ITS_WAY = 2;
/**
 * A sync event fires soon after its registration or when the link returns, and again this long after it failed.
 * Milliseconds.
 */
const SYNC_SOON = 130;
const SYNC_AGAIN = 299_000;
const MOST_SYNCS = 3;

/** Runs what the browser does by itself, independent of pages and workers. */
const BROWSER: Lane = { name: 'browser', alive: true };

type Over = (failed: boolean) => void;

/** The browser as seen by a worker. */
interface Browser {
  readonly scheduler: Scheduler;
  /** Undefined without Background Sync. */
  readonly askForSync: (() => void) | undefined;
  readonly pages: () => readonly { postMessage(message: PageMessage): void }[];
  readonly end: () => void;
  readonly odd: (failure: unknown) => void;
}

/** One worker, with the code as shipped, from start to end. The browser sends it events and ends it. */
export class SimulatedWorker {
  readonly context: Context;
  readonly #browser: Browser;
  readonly #scope = new FakeScope();
  readonly #pending = new Set<Over>();
  #events = 0;

  constructor(context: Context, browser: Browser) {
    this.context = context;
    this.#browser = browser;
    const { askForSync } = browser;
    if (askForSync === undefined) delete this.#scope.registration.sync;
    else this.#scope.registration.sync = { register: async () => askForSync() };
    Object.assign(this.#scope, { clients: { matchAll: async () => browser.pages() } });
    const environment = withPages(this.#scope, context.environment);
    sendOnMessage(this.#scope, environment);
    sendOnSync(this.#scope, environment);
    updateWhenAsked(this.#scope, environment);
  }

  /** Fires an event soon. `over` is called when its work is over, including by the worker's end. */
  fire(type: 'message' | 'sync', fields: Readonly<Record<string, unknown>>, over: Over = () => {}): void {
    const { scheduler } = this.#browser;
    this.#pending.add(over);
    this.#events += 1;
    const done = (failed: boolean) => {
      if (!this.#pending.delete(over)) return;
      over(failed);
      this.#endWhenIdle();
    };
    scheduler.after(ON_ITS_WAY, () => void this.#work(type, fields, done), this.context.lane);
    scheduler.after(LONGEST_EVENT, () => this.#pending.has(over) && this.#browser.end(), BROWSER);
  }

  /** The worker has ended. Unfinished work never completes. */
  ended(): void {
    for (const over of this.#pending) {
      this.#pending.delete(over);
      over(true);
    }
  }

  async #work(type: 'message' | 'sync', fields: Readonly<Record<string, unknown>>, done: Over): Promise<void> {
    let failed = false;
    try {
      await this.#scope.fire(type, fields).over();
    } catch (failure) {
      failed = true;
      if (type === 'message' || !String(failure).includes('Not all sent')) this.#browser.odd(failure);
    }
    done(failed);
  }

  #endWhenIdle(): void {
    const { scheduler, end } = this.#browser;
    const seen = this.#events;
    scheduler.after(IDLE, () => this.#events === seen && this.#pending.size === 0 && end(), BROWSER);
  }
}

/** Background Sync: fires a registered sync while there is a link, and again later if its work failed. */
export class BackgroundSync {
  readonly #scheduler: Scheduler;
  readonly #hasLink: () => boolean;
  readonly #fire: (over: Over) => void;
  #asked = false;
  #firing = false;
  #failures = 0;

  constructor(scheduler: Scheduler, hasLink: () => boolean, fire: (over: Over) => void) {
    this.#scheduler = scheduler;
    this.#hasLink = hasLink;
    this.#fire = fire;
  }

  ask(): void {
    this.#asked = true;
    this.#failures = 0;
    this.#later(SYNC_SOON);
  }

  linkReturned(): void {
    this.#later(SYNC_SOON);
  }

  #later(milliseconds: number): void {
    this.#scheduler.after(milliseconds, () => this.#now(), BROWSER);
  }

  #now(): void {
    if (!this.#asked || this.#firing || !this.#hasLink()) return;
    this.#asked = false;
    this.#firing = true;
    this.#fire((failed) => this.#over(failed));
  }

  #over(failed: boolean): void {
    this.#firing = false;
    // It was registered again in the meantime.
    if (this.#asked) return this.#later(SYNC_SOON);
    if (!failed) return;
    this.#failures += 1;
    this.#asked = this.#failures < MOST_SYNCS;
    this.#later(SYNC_AGAIN);
  }
}
