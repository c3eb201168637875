import type { FastifyBaseLogger } from 'fastify';
import type { FeedPage } from '../../../src/domain/protocol/feed.ts';
import type { ListRow, Resource, ResourceName } from '../../../src/domain/resource.ts';
import type { Reader } from '../../../src/domain/protocol/read-back/reader.ts';
import { RESOURCES } from '../../../src/domain/resources/index.ts';
import type { Credentials } from '../store.ts';
import type { BackEnd } from './back-end.ts';

/** Changed rows in one page. */
const PAGE_SIZE = 500;
/** Lists that were compared so long ago are compared again when somebody asks, in milliseconds: each costs the back end a request. */
const FRESH_FOR = 30_000;
/** And so long ago, while somebody is connected and does not ask. */
const KEPT_UP_AFTER = 60_000;

/** What a feed looks with. */
interface FeedWorld {
  readonly backEnd: Pick<BackEnd, 'readerFor'>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly log: FastifyBaseLogger;
}

/** A row as it was last seen, and the number of that change. */
interface Entry {
  readonly seq: number;
  readonly name: ResourceName;
  readonly id: number;
  /** As JSON; undefined for what is gone. */
  readonly json: string | undefined;
}

/**
 * The feed of a back end that has none: its lists are compared with what they were, and every difference gets a number. One look serves
 * all devices. Kept in memory: the cursors of a gateway that was started anew are of another life.
 */
export class RemoteFeed {
  readonly #world: FeedWorld;
  readonly #life: string;
  /** By kind and id, the last changed at the end. */
  readonly #log = new Map<string, Entry>();
  readonly #stale = new Set<ResourceName>();
  readonly #watchers = new Set<() => void>();
  #seq = 0;
  /** When all lists were last compared, in epoch milliseconds. */
  #comparedAt: number | undefined;
  #comparing: Promise<void> | undefined;

  /** `life` tells the cursors of this gateway process from those of the one before. */
  constructor(world: FeedWorld, life: string) {
    this.#world = world;
    this.#life = life;
  }

  /** Something of this kind has changed, or may have; of anything, where it is not known what. */
  mark(kind: string): void {
    const named = RESOURCES.filter(({ name }) => name === kind);
    if (kind === 'site-meta') return;
    for (const { name } of named.length > 0 ? named : RESOURCES) this.#stale.add(name);
  }

  /** Looks at the back end, unless everything that is known is fresh. One look at a time; its failure is that of whoever asked for it. */
  async bringUpToDate(asker: Credentials): Promise<void> {
    for (;;) {
      const others = this.#comparing;
      if (others === undefined) {
        if (!this.#isDue(FRESH_FOR)) return;
        this.#comparing = this.#compare(asker).finally(() => {
          this.#comparing = undefined;
        });
        return this.#comparing;
      }
      await others.catch(() => undefined);
    }
  }

  /**
   * Looks although nobody asks, where something was changed or the last look is long ago, and tells who is connected. Never before the
   * first question; nobody waits for it.
   */
  keepUp(asker: Credentials | undefined): void {
    const isBehind = this.#comparedAt !== undefined && this.#isDue(KEPT_UP_AFTER);
    if (asker === undefined || !isBehind) return;
    this.bringUpToDate(asker).catch((err: unknown) => this.#world.log.warn({ err }, 'lists not compared'));
  }

  /** What is known since a cursor; everything without a good one. */
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

  /** The cursor of what is known now. */
  cursor(): string {
    return `${this.#life}.${this.#seq}`;
  }

  /** Runs `told` whenever something has changed. The returned function ends that. */
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

  /** What is marked while its list is on its way may not be in it: it stays marked. */
  async #compare(asker: Credentials): Promise<void> {
    const at = this.#world.now();
    const isWhole = this.#isOlder(FRESH_FOR);
    const before = this.#seq;
    const reader = this.#world.backEnd.readerFor(asker);
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
      this.#take(resource.name, await reader.rows(resource));
    } catch (error) {
      this.#stale.add(resource.name);
      throw error;
    }
  }

  #take(name: ResourceName, rows: readonly ListRow[]): void {
    const present = new Set(rows.map(({ id }) => id));
    const gone = [...this.#log.values()].filter(
      (entry) => entry.name === name && entry.json !== undefined && !present.has(entry.id),
    );
    for (const { id } of gone) this.#note(name, id, undefined);
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
