/** What a page tells the worker. Messages are hints: what there is to do stands in the database. */
export type WorkerMessage = { readonly type: 'DRAIN' } | { readonly type: 'SKIP_WAITING' };

/** The tag of the Background Sync that wakes the worker where the browser has such a thing. */
export const SYNC_TAG = 'voltdesk-outbox';
