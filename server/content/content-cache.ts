import type { FeedPage } from '../../src/domain/protocol/feed.ts';
import type { AnyResource, Resource, ResourceName, ServerRecord } from '../../src/domain/resource.ts';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { sharedLook } from '../concurrency.ts';
import type { Encodable } from '../protocol/encodable.ts';
import { writtenAnswer } from '../protocol/send.ts';
import type { OwnStore } from '../stores/store.ts';
import { publicOrder, sortItems } from './content-query.ts';
import { type ContentItem, contentItem, type ContentSources, documentsOf } from './content-record.ts';

/** Answers to filtered lists that are kept until something changes. Bounds memory. */
const MAX_ANSWERS = 200;

/** What the content is read from: every own store has a feed of its changes. */
export type ContentStore = Pick<OwnStore, 'feed' | 'feedCursor' | 'files'>;

/** All public content as of one moment. */
export interface Content {
  /** The feed's cursor up to which it is current. */
  readonly cursor: string;
  /** A kind's records in their public order. */
  list(resource: Resource): readonly ContentItem[];
  item(resource: Resource, id: number): ContentItem | undefined;
  readonly site: ContentItem | undefined;
  /** An answer that is written at most once until something changes. `name` identifies it. */
  answer(name: string, write: () => string): Encodable;
}

/**
 * The public content in memory, as one more reader of the feed: each call first asks how far the feed is, and reads again
 * only what has changed. So an answer is as new as the request, at the price of one small query.
 */
export class ContentCache {
  readonly #store: ContentStore;
  readonly #origin: string;
  readonly #records = new Map<string, Map<number, ContentItem>>();
  #content: Content | undefined;
  /** The content as of the call or later. */
  readonly current = sharedLook(() => this.#look());

  /** `origin` comes before the path of every address. */
  constructor(store: ContentStore, origin: string) {
    this.#store = store;
    this.#origin = origin;
  }

  async #look(): Promise<Content> {
    if (this.#content?.cursor === (await this.#store.feedCursor())) return this.#content;
    let cursor = this.#content?.cursor;
    for (;;) {
      const page = await this.#store.feed(cursor);
      await this.#apply(page);
      cursor = page.cursor;
      if (!page.more) break;
    }
    this.#content = this.#contentAt(cursor);
    return this.#content;
  }

  async #apply(page: FeedPage): Promise<void> {
    if (page.snapshot === true) this.#records.clear();
    const changed: [AnyResource, readonly ServerRecord[]][] = RESOURCES.map((resource) => [
      resource,
      page.changed[resource.name] ?? [],
    ]);
    if (page.settings !== undefined) changed.push([siteMeta, [page.settings]]);
    const names = changed.flatMap(([resource, records]) => records.flatMap((record) => documentsOf(resource, record)));
    const files = new Map((await this.#store.files(names)).map((file) => [file.name, file]));
    const sources: ContentSources = { origin: this.#origin, files };
    for (const [resource, records] of changed) {
      const known = this.#of(resource);
      for (const record of records) known.set(record.id, contentItem(resource, record, sources));
    }
    for (const [name, ids] of Object.entries(page.deleted) as [ResourceName, readonly number[]][])
      for (const id of ids) this.#records.get(name)?.delete(id);
  }

  #of({ name }: AnyResource): Map<number, ContentItem> {
    const known = this.#records.get(name) ?? new Map<number, ContentItem>();
    this.#records.set(name, known);
    return known;
  }

  #contentAt(cursor: string): Content {
    const lists = new Map<string, readonly ContentItem[]>();
    const answers = new Map<string, Encodable>();
    const once = <T>(kept: Map<string, T>, name: string, make: () => T): T => {
      const value = kept.get(name) ?? make();
      kept.set(name, value);
      return value;
    };
    return {
      cursor,
      list: (resource) =>
        once(lists, resource.name, () => sortItems([...this.#of(resource).values()], publicOrder(resource))),
      item: (resource, id) => this.#of(resource).get(id),
      site: this.#of(siteMeta).get(siteMeta.only),
      answer(name, write) {
        if (answers.size >= MAX_ANSWERS) answers.clear();
        return once(answers, name, () => writtenAnswer(write()));
      },
    };
  }
}
