import { sameText } from '../../../src/domain/outbox/conflict.ts';
import {
  type Identities,
  identityKey,
  overlayRows,
  type PendingRow,
} from '../../../src/domain/outbox/optimistic-view.ts';
import type { OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import { feedAddress, type FeedPage, readFeedPage } from '../../../src/domain/protocol/feed.ts';
import type { ListRow, ResourceName } from '../../../src/domain/resource.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { type Asked, readFeed, takeFeedPage } from '../../../src/offline/cache/feed.ts';
import { identities, pendingEntries } from '../../../src/offline/outbox/queries.ts';
import { ask } from '../../../src/offline/sender/http.ts';
import type { Environment } from '../../../src/offline/storage/environment.ts';
import { rememberedSession } from '../../../src/offline/storage/session.ts';
import { transact } from '../../../src/offline/storage/transactions.ts';
import type { Ledger, SavedChange } from '../oracle/ledger.ts';
import type { Page } from '../world/device.ts';
import type { Random } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { allTogether, eachAlone, type InShort, type Lists, Moments } from './moments.ts';

/** How a device applies a page of the feed. */
export type TakePage = (page: FeedPage, asked: Asked, environment: Environment) => Promise<unknown>;

/** Errors that a disposable copy may cause when it cannot be stored. */
const NOT_KEPT = /Quota|Abort|Stalled|StorageFull|DatabaseClosed/;

/** How long a gateway trusts its lists. Milliseconds. */
const BELIEVED_FOR = 30_000;

/**
 * The device's lists, which follow the server's feed while changes are pending. They match a single moment, never half of
 * it and never an earlier one than before, with pending changes on top. Behind a gateway this holds for each list
 * separately, and the device's lists are at most as old as the gateway trusts its own.
 */
export class FeedReader {
  readonly failures: string[] = [];
  readonly #world: World;
  readonly #ledger: Ledger;
  readonly #take: TakePage;
  readonly #isGateway: boolean;
  readonly #inShort: InShort;
  /** By part of the lists. */
  readonly #moments = new Map<string, Moments>();
  #late: { readonly page: FeedPage; readonly asked: Asked } | undefined;

  constructor(
    world: World,
    ledger: Ledger,
    take: TakePage = (page, asked, { cache }) => takeFeedPage(page, asked, cache),
  ) {
    this.#world = world;
    this.#ledger = ledger;
    this.#take = take;
    this.#isGateway = world.server.name === 'gateway';
    this.#inShort = this.#isGateway ? eachAlone : allTogether;
  }

  /** Records the server's states from now on. Real work. */
  async begin(): Promise<void> {
    this.#world.onChanged = () => this.#noteMoment();
    await this.#noteMoment();
  }

  /** A page asks for changes. One answer in three is held back, and applied after the next one. */
  ask(random: Random): void {
    const page = this.#world.device.pages.at(-1);
    if (page === undefined || this.#moments.size === 0) return;
    const isLate = random.chance(0.3);
    this.#world.scheduler.soon(() => {
      this.#follow(page, isLate).catch((failure: unknown) => {
        if (page.lane.alive && !NOT_KEPT.test(String(failure))) this.#fail(`odd: the feed: ${String(failure)}`);
      });
    }, page.lane);
  }

  async #follow({ environment, lane }: Page, isLate: boolean): Promise<void> {
    const session = await rememberedSession(environment);
    if (session === undefined) return;
    const state = await readFeed(environment.cache);
    const asked = { since: state?.cursor, fetchedAt: environment.now() };
    // The device's own clock may be changed.
    const askedAt = this.#world.scheduler.now;
    const page = readFeedPage((await ask(environment, feedAddress(asked.since), session.token))?.body);
    if (page === undefined) return;
    if (isLate && this.#late === undefined) {
      this.#late = { page, asked };
      return;
    }
    const outcome = await this.#take(page, asked, environment);
    const late = this.#late;
    this.#late = undefined;
    // Between the two, a screen may read the lists.
    if (late !== undefined && lane.alive) await this.#look(environment, session.administrator, 0);
    if (late !== undefined) await this.#take(late.page, late.asked, environment);
    // A late answer, or one overtaken by another tab's, says nothing about the age of the lists.
    const isFresh = this.#isGateway && late === undefined && outcome !== 'overtaken';
    const until = isFresh ? askedAt - BELIEVED_FOR : 0;
    if (lane.alive) await this.#look(environment, session.administrator, until);
  }

  async #noteMoment(): Promise<void> {
    const lists = new Map<ResourceName, readonly ListRow[]>();
    for (const { resource } of this.#world.subjects) {
      const stored = await this.#world.server.stored(resource);
      lists.set(
        resource,
        stored.map(({ record }) => record),
      );
    }
    for (const [part, text] of this.#inShort(lists)) {
      const moments = this.#moments.get(part) ?? new Moments();
      this.#moments.set(part, moments);
      moments.note(text, this.#world.scheduler.now);
    }
  }

  /** Reads what a screen would show now. */
  async #look(environment: Environment, administrator: string, until: number): Promise<void> {
    const least = new Map([...this.#moments].map(([part, { reached }]) => [part, reached]));
    const lists = await this.#listsOf(environment);
    if (lists === undefined) return;
    for (const [part, text] of this.#inShort(lists)) {
      const wrong = this.#moments.get(part)?.wrongWith(text, { least: least.get(part) ?? 0, until });
      if (wrong !== undefined) this.#fail(wrong);
    }
    // Changes saved after this read need not be in it.
    const saved = new Set(this.#ledger.changes.filter(({ fate }) => fate === 'kept'));
    const [entries, known] = [await pendingEntries(environment), await identities(environment)];
    const own = entries.filter((entry) => entry.administrator === administrator && entry.schema < 99);
    for (const [kind, rows] of lists) {
      const ofKind = own.filter(({ change }) => change.resource === kind);
      this.#checkLaidOver(overlayRows(resourceOf(kind), rows, ofKind, known), ofKind, known, saved);
    }
  }

  #checkLaidOver(
    rows: readonly PendingRow[],
    entries: readonly OutboxEntry[],
    known: Identities,
    saved: ReadonlySet<SavedChange>,
  ): void {
    for (const { id, state, change } of entries) {
      if (state === 'attention' || (change.op !== 'update' && change.op !== 'create')) continue;
      const recordId = String(known.get(identityKey(change.resource, change.recordId)) ?? change.recordId);
      const row = rows.find((one) => one.recordId === recordId || one.recordId === change.recordId);
      if (row === undefined) continue;
      for (const own of this.#ledger.in(id)) if (saved.has(own)) this.#checkShown(own, row);
    }
  }

  #checkShown(saved: SavedChange, row: PendingRow): void {
    const { touched, overruled, record, fate } = saved;
    if (fate !== 'kept' || this.#ledger.deletedAfter(saved)) return;
    for (const [field, value] of Object.entries(touched)) {
      const later = this.#ledger.superseded(saved, (other) => other.touched[field] !== undefined);
      if (later || overruled.has(field) || row[field] === undefined) continue;
      if (!sameText(String(row[field] ?? ''), value))
        this.#fail(`covered: ${field} of ${record} waits, and is not shown`);
    }
  }

  /** Reads all lists in one transaction. Undefined before the first page has arrived. */
  async #listsOf({ cache }: Environment): Promise<Lists | undefined> {
    const kinds = this.#world.subjects.map(({ resource }) => resource);
    const keys = kinds.map((kind) => `list/${kind}`);
    const found = await transact(cache, 'r', [cache.values], () => cache.values.bulkGet(keys));
    if (found.some((value) => value === undefined)) return undefined;
    const rowsOf = (value: unknown) => (value as { readonly rows: readonly ListRow[] }).rows;
    return new Map(kinds.map((kind, i) => [kind, rowsOf(found[i]?.value)]));
  }

  #fail(text: string): void {
    if (!this.failures.includes(text)) this.failures.push(text);
  }
}
