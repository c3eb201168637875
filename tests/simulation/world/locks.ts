import type { Locks } from '../../../src/offline/storage/environment.ts';
import type { Lane, Scheduler } from './scheduler.ts';

interface Wish {
  readonly lane: Lane;
  readonly grant: () => void;
}

/** The Web Locks of a browser profile, including leaks that browsers have had. */
export class LockWorld {
  /** Grants a held lock: two holders at once. */
  doubles = false;
  /** A killed holder keeps its lock for ever. */
  sticks = false;
  readonly #scheduler: Scheduler;
  readonly #holders = new Map<string, Set<Lane>>();
  readonly #waiting = new Map<string, Wish[]>();

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /** The locks as seen by one lane. */
  for(lane: Lane): Locks {
    return { request: (name, options, work) => this.#request(lane, name, options, work) };
  }

  /** Releases the locks of a lane that is gone, unless they stick. */
  kill(lane: Lane): void {
    for (const [name, holders] of this.#holders) {
      this.#waiting.set(
        name,
        (this.#waiting.get(name) ?? []).filter((wish) => wish.lane !== lane),
      );
      if (!this.sticks && holders.delete(lane)) this.#grantNext(name);
    }
  }

  /** Ends a leak: releases the locks of lanes that are gone. */
  heal(): void {
    this.doubles = false;
    this.sticks = false;
    for (const [name, holders] of this.#holders) {
      for (const lane of holders) if (!lane.alive) holders.delete(lane);
      this.#grantNext(name);
    }
  }

  #request<T>(
    lane: Lane,
    name: string,
    { ifAvailable = false, signal }: { ifAvailable?: boolean; signal?: AbortSignal },
    work: (lock: object | null) => Promise<T>,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const held = () => this.#holdersOf(name).size > 0 && !this.doubles;
      const run = () => {
        this.#holdersOf(name).add(lane);
        this.#scheduler.soon(() => {
          work({ name })
            .finally(() => this.#release(name, lane))
            .then(resolve, reject);
        }, lane);
      };
      if (!held()) return run();
      if (ifAvailable) return this.#scheduler.soon(() => void work(null).then(resolve, reject), lane);
      const wish: Wish = { lane, grant: run };
      this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), wish]);
      signal?.addEventListener('abort', () => {
        const waiting = this.#waiting.get(name) ?? [];
        if (!waiting.includes(wish)) return;
        this.#waiting.set(
          name,
          waiting.filter((other) => other !== wish),
        );
        reject(new DOMException('The wait for the lock was given up.', 'AbortError'));
      });
    });
  }

  #release(name: string, lane: Lane): void {
    if (!lane.alive) return;
    this.#holdersOf(name).delete(lane);
    this.#grantNext(name);
  }

  #grantNext(name: string): void {
    if (this.#holdersOf(name).size > 0) return;
    const [first, ...others] = this.#waiting.get(name) ?? [];
    this.#waiting.set(name, others);
    first?.grant();
  }

  #holdersOf(name: string): Set<Lane> {
    const known = this.#holders.get(name);
    if (known !== undefined) return known;
    const holders = new Set<Lane>();
    this.#holders.set(name, holders);
    return holders;
  }
}
