/** What a page tells the worker. Messages are hints: what there is to do stands in the database. */
export type WorkerMessage =
  /** Send. With the anti-forgery cookie as the page sees it: a worker may see none. */
  | { readonly type: 'DRAIN'; readonly cookie?: string | undefined }
  /** A page sends in place of the worker: let the browser wake you all the same, should that page be closed. */
  | { readonly type: 'WATCH' }
  /** To the version that waits: take over. */
  | { readonly type: 'SKIP_WAITING' }
  /** To the version in charge: begin nothing for so many milliseconds, another one is to take over. */
  | { readonly type: 'GIVE_WAY'; readonly milliseconds: number };

/** What the worker tells its pages: it cannot send, and one of them has to. */
export type PageMessage = { readonly type: 'SEND' };

/** The tag of the Background Sync that wakes the worker where the browser has such a thing. */
export const SYNC_TAG = 'voltdesk-outbox';
