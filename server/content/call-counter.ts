/** The window of the limit. Milliseconds. */
const WINDOW = 60_000;
/** Bounds memory under attack. */
const MAX_CALLERS = 50_000;

/** Counts the calls of each caller in the current minute, at the same small price for any number of them. */
export class CallCounter {
  readonly #most: number;
  /** Epoch milliseconds. */
  readonly #now: () => number;
  readonly #calls = new Map<string, number>();
  #endsAt = 0;

  constructor(most: number, now: () => number) {
    this.#most = most;
    this.#now = now;
  }

  /** Counts work that a call turned out to need as further calls, which may keep the caller from the next one. */
  charge(caller: string, calls: number): void {
    this.#calls.set(caller, (this.#calls.get(caller) ?? 0) + calls);
  }

  /** Counts a call. Returns the seconds to wait if there were too many. */
  count(caller: string): number | undefined {
    const now = this.#now();
    // also after the clock was set back
    if (now >= this.#endsAt || now < this.#endsAt - WINDOW || this.#calls.size >= MAX_CALLERS) {
      this.#calls.clear();
      this.#endsAt = now + WINDOW;
    }
    const calls = (this.#calls.get(caller) ?? 0) + 1;
    this.#calls.set(caller, calls);
    return calls <= this.#most ? undefined : Math.max(1, Math.ceil((this.#endsAt - now) / 1000));
  }
}
