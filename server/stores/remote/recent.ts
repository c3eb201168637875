/** How long a read may lag behind a confirmed change. Milliseconds. */
const LAGS_AT_MOST = 2 * 60_000;

/** Versions that are remembered with what they stood for. */
const MOST_TOLD = 20_000;

/**
 * What this gateway knows to have changed a moment ago. Reads of a back end may come from a replica or a cache that does not
 * show it yet: a version that a confirmed change has overtaken is no version to build on.
 */
export class Recent {
  readonly #now: () => number;
  /** When a version was overtaken, by `kind/id version`. Epoch milliseconds. */
  readonly #notes = new Map<string, number>();

  /** The content that told versions stood for, the oldest first. By `kind/id version`. */
  readonly #told = new Map<string, string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Notes the content of a record under a version that is told to a device. */
  noteTold(record: string, version: string, content: string): void {
    this.#told.set(`${record} ${version}`, content);
    const [oldest] = this.#told.keys();
    if (this.#told.size > MOST_TOLD && oldest !== undefined) this.#told.delete(oldest);
  }

  /** True if a version that was told stood for this content: only columns of the back end's own have changed since. */
  isStill(record: string, ifMatch: string | undefined, content: string): boolean {
    const version = /^\s*"(.*)"\s*$/.exec(ifMatch ?? '')?.[1];
    return version !== undefined && this.#told.get(`${record} ${version}`) === content;
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
