/** Messages from a page to the worker. They are hints: the database is the truth. */
export type WorkerMessage =
  /** Drain the outbox. Carries the anti-forgery cookie as the page sees it: a worker may see none. */
  | { readonly type: 'DRAIN'; readonly cookie?: string | undefined }
  /** A page sends instead. Register a sync anyway, in case that page is closed. */
  | { readonly type: 'WATCH' }
  /** To a waiting version: take over. */
  | { readonly type: 'SKIP_WAITING' }
  /** To the active version: start nothing for `milliseconds`, another version is taking over. */
  | { readonly type: 'GIVE_WAY'; readonly milliseconds: number };

/** Message from the worker to its pages: it cannot send, one of them has to. */
export type PageMessage = { readonly type: 'SEND' };

/** The tag of the Background Sync that wakes the worker, in browsers that have it. */
export const SYNC_TAG = 'voltdesk-outbox';
