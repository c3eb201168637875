/** How long a read may lag behind a confirmed change. Milliseconds. */
const LAGS_AT_MOST = 2 * 60_000;

/**
 * What this gateway knows to have changed a moment ago. Reads of a back end may come from a replica or a cache that does not
 * show it yet: a version that a confirmed change has overtaken is no version to build on.
 */
export class Recent {
  readonly #now: () => number;
  /** When a version was overtaken, by `kind/id version`. Epoch milliseconds. */
  readonly #notes = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Notes that a confirmed change has led from one version of a record to another, if known. */
  noteChanged(record: string, before: string, after: string | undefined): void {
    this.#note(`${record} ${before}`);
    if (after !== undefined) this.#notes.delete(`${record} ${after}`);
  }

  /** True for a version that only a read which lags behind can still show. */
  isOvertaken(record: string, version: string): boolean {
    const at = this.#notes.get(`${record} ${version}`);
    return at !== undefined && this.#now() - at <= LAGS_AT_MOST;
  }

  #note(name: string): void {
    const now = this.#now();
    for (const [other, at] of this.#notes) if (now - at > LAGS_AT_MOST) this.#notes.delete(other);
    this.#notes.set(name, now);
  }
}
