import type { FeedPage } from '../../src/domain/protocol/feed.ts';
import type { AnyResource, Resource, ResourceName, ServerRecord } from '../../src/domain/resource.ts';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { sharedLook } from '../concurrency/concurrency.ts';
import type { Encodable } from '../protocol/encodable.ts';
import { writtenAnswer } from '../protocol/send.ts';
import type { OwnStore } from '../stores/store.ts';
import { publicOrder, sortItems } from './content-query.ts';
import { type ContentItem, contentItem, type ContentSources, documentsOf } from './content-record.ts';

/** Bounds the memory of answers that are kept until something changes: how many, and their length in characters. */
const MAX_ANSWERS = 200;
const MAX_ANSWERED = 64 * 1024 * 1024;

/** What the content is read from: every own store has a feed of its changes. */
export type ContentStore = Pick<OwnStore, 'feed' | 'feedCursor' | 'files' | 'revision' | 'revisionNow'>;

/** All public content as of one moment. */
export interface Content {
  /** The feed's cursor up to which it is current. */
  readonly cursor: string;
  /** A kind's records in their public order. */
  list(resource: Resource): readonly ContentItem[];
  /** The site-wide settings as JSON. */
  readonly site: string;
  /** The answer of a single record. */
  item(resource: AnyResource, id: number): Encodable | undefined;
  /** An answer that is written at most once until something changes. `name` identifies it. */
  answer(name: string, write: () => string): Encodable;
}

/**
 * The public content in memory, as one more reader of the feed: each call first looks whether anything was changed, and reads
 * again only that. So an answer is as new as the request, at the price of one small look.
 */
export class ContentCache {
  readonly #store: ContentStore;
  readonly #origin: string;
  readonly #records = new Map<string, Map<number, ContentItem>>();
  /** Answers of single records, until they change. */
  readonly #items = new WeakMap<ContentItem, Encodable>();
  #content: Content | undefined;
  /** The store's revision at which `#content` was current. */
  #revision: string | undefined;
  readonly #look = sharedLook(() => this.#lookAgain());

  /** `origin` comes before the path of every address. */
  constructor(store: ContentStore, origin: string) {
    this.#store = store;
    this.#origin = origin;
  }

  /** The content as of the call or later. At once if the records are in this process and nothing was changed. */
  current(): Content | Promise<Content> {
    const isCurrent = this.#content !== undefined && this.#store.revisionNow?.() === this.#revision;
    return isCurrent && this.#content !== undefined ? this.#content : this.#look();
  }

  async #lookAgain(): Promise<Content> {
    // before the content is read: what is changed meanwhile is seen by the next look
    const revision = await this.#store.revision();
    if (this.#content === undefined || revision !== this.#revision) this.#content = await this.#read(this.#content);
    this.#revision = revision;
    return this.#content;
  }

  /** Applies what was changed since `known`. Returns it if that is nothing the site sees. */
  async #read(known: Content | undefined): Promise<Content> {
    if (known?.cursor === (await this.#store.feedCursor())) return known;
    let cursor = known?.cursor;
    for (;;) {
      const page = await this.#store.feed(cursor);
      await this.#apply(page);
      cursor = page.cursor;
      if (!page.more) return this.#contentAt(cursor);
    }
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

  #answerOf(item: ContentItem): Encodable {
    const known = this.#items.get(item) ?? writtenAnswer(item.json);
    this.#items.set(item, known);
    return known;
  }

  #contentAt(cursor: string): Content {
    const lists = new Map<string, readonly ContentItem[]>();
    const answers = new Map<string, Encodable>();
    let answered = 0;
    return {
      cursor,
      list: (resource) => {
        const known = lists.get(resource.name) ?? sortItems([...this.#of(resource).values()], publicOrder(resource));
        lists.set(resource.name, known);
        return known;
      },
      site: this.#of(siteMeta).get(siteMeta.only)?.json ?? '{}',
      item: (resource, id) => {
        const item = this.#of(resource).get(id);
        return item && this.#answerOf(item);
      },
      answer(name, write) {
        const known = answers.get(name);
        if (known !== undefined) return known;
        const json = write();
        answered += json.length;
        if (answers.size >= MAX_ANSWERS || answered > MAX_ANSWERED) {
          answers.clear();
          answered = json.length;
        }
        const answer = writtenAnswer(json);
        answers.set(name, answer);
        return answer;
      },
    };
  }
}
