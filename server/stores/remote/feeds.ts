import type { Credentials } from '../store.ts';
import { type FeedWorld, RemoteFeed } from './feed.ts';

/** Each feed holds every row that its person may see. Beyond this number the one that was not asked for longest is dropped. */
const MOST_FEEDS = 50;

interface OfPerson {
  readonly feed: RemoteFeed;
  /** Of the latest request. */
  readonly credentials: Credentials;
}

/**
 * The feeds of a back end without one. Each person has their own, from what the back end shows to them: it may refuse to one
 * what it shows to another.
 */
export class RemoteFeeds {
  readonly #world: FeedWorld;
  readonly #newLife: () => string;
  /** By user id, the one asked for longest ago first. */
  readonly #feeds = new Map<number, OfPerson>();
  readonly #watchers = new Set<() => void>();

  /** `newLife` returns a name that no earlier feed had. */
  constructor(world: FeedWorld, newLife: () => string) {
    this.#world = world;
    this.#newLife = newLife;
  }

  /** The feed of a person. Remembers the credentials for comparisons in the background. */
  of(userId: number, credentials: Credentials): RemoteFeed {
    const feed = this.#feeds.get(userId)?.feed ?? this.#begin();
    this.#feeds.delete(userId);
    this.#feeds.set(userId, { feed, credentials });
    const [oldest] = this.#feeds.keys();
    if (this.#feeds.size > MOST_FEEDS && oldest !== undefined) this.#feeds.delete(oldest);
    return feed;
  }

  /** Marks a kind as possibly changed, for everyone, and compares it in the background. An unknown kind marks them all. */
  mark(kind: string): void {
    for (const { feed, credentials } of this.#feeds.values()) {
      feed.mark(kind);
      feed.keepUp(credentials);
    }
  }

  /** Calls `told` after every change of any feed. The returned function unsubscribes. */
  watch(told: () => void): () => void {
    this.#watchers.add(told);
    return () => this.#watchers.delete(told);
  }

  #begin(): RemoteFeed {
    const feed = new RemoteFeed(this.#world, this.#newLife());
    feed.watch(() => {
      for (const told of this.#watchers) told();
    });
    return feed;
  }
}
