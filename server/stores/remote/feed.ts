import type { FastifyBaseLogger } from 'fastify';
import type { FeedPage } from '../../../src/domain/protocol/feed.ts';
import type { ListRow, Resource, ResourceName } from '../../../src/domain/resource.ts';
import type { Reader } from '../../../src/domain/protocol/read-back/reader.ts';
import { RESOURCES } from '../../../src/domain/resources/index.ts';
import { Refusal } from '../../errors/refusal.ts';
import type { Credentials } from '../store.ts';
import type { BackEnd } from './back-end.ts';
import { Rate } from './rate.ts';

/** Changed rows per page. */
const PAGE_SIZE = 500;
/** Requests compare lists again after this time, because each list costs the back end a request. Milliseconds. */
const FRESH_FOR = 30_000;
/** The same for clients that are only connected. */
const KEPT_UP_AFTER = 60_000;

/** A list of up to so many pages is read whole with every comparison. */
const FEW_PAGES = 10;
/** How long a request waits for a comparison that keeps to the back end's rate. Milliseconds. */
const PATIENCE = 10_000;
const MINUTE = 60_000;

/** The dependencies of a feed. */
export interface FeedWorld {
  readonly backEnd: Pick<BackEnd, 'readerFor'> & Partial<Pick<BackEnd, 'rate'>>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Runs work after a delay in milliseconds. The returned function cancels it. */
  readonly after?: (milliseconds: number, work: () => Promise<void>) => () => void;
  readonly log: FastifyBaseLogger;
}

/** A row as last seen, and the number of its last change. */
interface Entry {
  readonly seq: number;
  readonly name: ResourceName;
  readonly id: number;
  /** JSON. Undefined if the row is gone. */
  readonly json: string | undefined;
}

/**
 * A feed for a back end without one, for one person: compares the lists with their last state and numbers every difference.
 * One comparison serves all devices of the person. The state is in memory, so cursors become invalid when the gateway
 * restarts.
 */
export class RemoteFeed {
  readonly #world: FeedWorld;
  readonly #life: string;
  /** By kind and id, the latest change last. */
  readonly #log = new Map<string, Entry>();
  readonly #stale = new Set<ResourceName>();
  readonly #watchers = new Set<() => void>();
  /** When a list was last read whole, in epoch milliseconds. */
  readonly #wholeAt = new Map<ResourceName, number>();
  #seq = 0;
  /** The time of the last comparison of all lists, in epoch milliseconds. */
  #comparedAt: number | undefined;
  #comparing: Promise<void> | undefined;
  /** When the pages of the last minute were read, in epoch milliseconds. */
  #turns: readonly number[] = [];

  /** `life` distinguishes the cursors of this gateway process from those of earlier ones. */
  constructor(world: FeedWorld, life: string) {
    this.#world = world;
    this.#life = life;
  }

  /** Marks a kind as possibly changed. An unknown kind marks them all. */
  mark(kind: string): void {
    const named = RESOURCES.filter(({ name }) => name === kind);
    if (kind === 'site-meta') return;
    for (const { name } of named.length > 0 ? named : RESOURCES) this.#stale.add(name);
  }

  /** Compares the lists unless all are fresh. One runs at a time; its failure rejects only the call that started it. */
  async bringUpToDate(asker: Credentials): Promise<void> {
    for (;;) {
      const others = this.#comparing;
      if (others === undefined) {
        if (!this.#isDue(FRESH_FOR)) return;
        this.#comparing = this.#compare(asker).finally(() => {
          this.#comparing = undefined;
        });
        return this.#patiently(this.#comparing);
      }
      await this.#patiently(others.catch(() => undefined));
    }
  }

  /** Waits for a comparison, but not for minutes. Throws 503 then, and the comparison goes on. */
  async #patiently(comparing: Promise<void>): Promise<void> {
    if (this.#world.backEnd.rate?.told === undefined) return comparing;
    const { promise: tooLong, reject } = Promise.withResolvers<never>();
    const message = 'The lists of the back end are being read, as fast as it allows.';
    const refusal = new Refusal(503, { message, code: 'lists-being-read' }, { 'Retry-After': '10' });
    const callOff = this.#after(PATIENCE, async () => reject(refusal));
    comparing.catch(() => undefined);
    return Promise.race([comparing, tooLong]).finally(callOff);
  }

  /** Waits until one more page does not exceed the part of the back end's rate that comparisons may take. */
  async #turn(): Promise<void> {
    const { rate } = this.#world.backEnd;
    for (;;) {
      const now = this.#world.now();
      this.#turns = this.#turns.filter((at) => now - at < MINUTE);
      const [first = now] = this.#turns;
      if (rate?.told === undefined || this.#turns.length < rate.forComparing) break;
      await new Promise<void>((resolve) => void this.#after(first + MINUTE - now, async () => resolve()));
    }
    this.#turns = [...this.#turns, this.#world.now()];
  }

  #after(milliseconds: number, work: () => Promise<void>): () => void {
    if (this.#world.after !== undefined) return this.#world.after(milliseconds, work);
    const timer = setTimeout(() => void work(), milliseconds).unref();
    return () => clearTimeout(timer);
  }

  /**
   * Compares in the background if something was changed or the last comparison is old, and notifies connected clients. Does
   * nothing before the first request. Returns at once.
   */
  keepUp(asker: Credentials | undefined): void {
    const isBehind = this.#comparedAt !== undefined && this.#isDue(KEPT_UP_AFTER);
    if (asker === undefined || !isBehind) return;
    this.bringUpToDate(asker).catch((err: unknown) => this.#world.log.warn({ err }, 'lists not compared'));
  }

  /** Returns the changes since a cursor, or a snapshot without a valid one. */
  page(since: string | undefined): FeedPage {
    const known = this.#seqOf(since);
    const entries = this.#entriesAfter(known ?? 0);
    return {
      cursor: `${this.#life}.${entries.at(-1)?.seq ?? known ?? 0}`,
      ...(known === undefined ? { snapshot: true as const } : {}),
      more: entries.length === PAGE_SIZE,
      rowsOnly: true,
      changed: rowsByKind(entries),
      deleted: gonesByKind(entries),
    };
  }

  /** The current cursor. */
  cursor(): string {
    return `${this.#life}.${this.#seq}`;
  }

  /** Calls `told` after every change. The returned function unsubscribes. */
  watch(told: () => void): () => void {
    this.#watchers.add(told);
    return () => this.#watchers.delete(told);
  }

  #isDue(after: number): boolean {
    return this.#stale.size > 0 || this.#isOlder(after);
  }

  #isOlder(after: number): boolean {
    return this.#comparedAt === undefined || this.#world.now() - this.#comparedAt >= after;
  }

  /** Compares stale lists. A list marked during its own fetch stays marked, because the response may lack the change. */
  async #compare(asker: Credentials): Promise<void> {
    const at = this.#world.now();
    const isWhole = this.#isOlder(FRESH_FOR);
    const before = this.#seq;
    const reader = this.#world.backEnd.readerFor(asker, () => this.#turn());
    try {
      for (const resource of RESOURCES)
        if (isWhole || this.#stale.has(resource.name)) await this.#look(resource, reader);
      if (isWhole) this.#comparedAt = at;
    } finally {
      if (this.#seq !== before) for (const told of this.#watchers) told();
    }
  }

  async #look(resource: Resource, reader: Reader): Promise<void> {
    this.#stale.delete(resource.name);
    try {
      if (this.#isDear(resource, reader)) this.#merge(resource.name, (await reader.newest?.(resource)) ?? []);
      else await this.#lookWhole(resource, reader);
    } catch (error) {
      // what the back end refuses to show this person does not exist for them
      if (error instanceof Refusal && error.status === 403) return this.#take(resource.name, []);
      this.#stale.add(resource.name);
      throw error;
    }
  }

  /** True while a list of many pages was read whole recently: reading it takes no more than its share of the requests. */
  #isDear(resource: Resource, reader: Reader): boolean {
    const at = this.#wholeAt.get(resource.name);
    const pages = reader.pages?.(resource) ?? 1;
    return at !== undefined && pages > FEW_PAGES && this.#world.now() - at < (pages / this.#pagesAMinute()) * MINUTE;
  }

  #pagesAMinute(): number {
    return (this.#world.backEnd.rate ?? new Rate()).forComparing;
  }

  /** A row is gone from a paged list if two reads lack it: a deletion between two pages moves rows past the reader. */
  async #lookWhole(resource: Resource, reader: Reader): Promise<void> {
    const at = this.#world.now();
    const rows = await reader.rows(resource);
    const isShorter = resource.paged && this.#gone(resource.name, rows).length > 0;
    const again = isShorter ? await reader.rows(resource) : [];
    const present = new Set(again.map(({ id }) => id));
    this.#take(resource.name, [...again, ...rows.filter(({ id }) => !present.has(id))]);
    this.#wholeAt.set(resource.name, at);
  }

  #gone(name: ResourceName, rows: readonly ListRow[]): Entry[] {
    const present = new Set(rows.map(({ id }) => id));
    return [...this.#log.values()].filter(
      (entry) => entry.name === name && entry.json !== undefined && !present.has(entry.id),
    );
  }

  #take(name: ResourceName, rows: readonly ListRow[]): void {
    for (const { id } of this.#gone(name, rows)) this.#note(name, id, undefined);
    this.#merge(name, rows);
  }

  #merge(name: ResourceName, rows: readonly ListRow[]): void {
    for (const row of rows) {
      const json = JSON.stringify(row);
      if (this.#log.get(`${name}/${row.id}`)?.json !== json) this.#note(name, row.id, json);
    }
  }

  #note(name: ResourceName, id: number, json: string | undefined): void {
    const key = `${name}/${id}`;
    this.#seq += 1;
    this.#log.delete(key);
    this.#log.set(key, { seq: this.#seq, name, id, json });
  }

  #entriesAfter(seq: number): Entry[] {
    const entries: Entry[] = [];
    for (const entry of this.#log.values()) {
      if (entry.seq > seq) entries.push(entry);
      if (entries.length === PAGE_SIZE) break;
    }
    return entries;
  }

  #seqOf(cursor: string | undefined): number | undefined {
    const [, life, number] = /^([\w-]+)\.(\d{1,15})$/.exec(cursor ?? '') ?? [];
    const seq = Number(number);
    return life === this.#life && seq <= this.#seq ? seq : undefined;
  }
}

function rowsByKind(entries: readonly Entry[]): FeedPage['changed'] {
  const present = entries.filter(({ json }) => json !== undefined);
  return Object.fromEntries(
    [...Map.groupBy(present, ({ name }) => name)].map(([name, of]) => [
      name,
      of.map(({ json }) => JSON.parse(json ?? '')),
    ]),
  );
}

function gonesByKind(entries: readonly Entry[]): FeedPage['deleted'] {
  const gone = entries.filter(({ json }) => json === undefined);
  return Object.fromEntries(
    [...Map.groupBy(gone, ({ name }) => name)].map(([name, of]) => [name, of.map(({ id }) => id)]),
  );
}
