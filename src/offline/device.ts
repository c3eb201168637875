/**
 * Everything a page does with the device's databases, in one chunk. The database library is a sixth of a page's code, and the
 * rows of a first visit come from the server, so `src/api/device.ts` loads this chunk in parallel.
 */
export * from './outbox/entry-commands.ts';
export * from './storage/browser-environment.ts';
export * as cache from './cache/cache.ts';
export * as catalogues from './cache/catalogues.ts';
export * as feed from './cache/feed.ts';
export { deviceDrafts } from './drafts/drafts.ts';
export { enqueue, repair } from './page-saves.ts';
export { exportQueue, importQueue } from './outbox/export.ts';
export { openFile } from './storage/files.ts';
export { haltFiles, keepForWifi, sendOverAnyLink } from './outbox/halt-files.ts';
export { follow } from './outbox/await-settled.ts';
export { watch } from './storage/outbox-database.ts';
export { isLongInterrupted, isWorkOverdue } from './sender/overdue.ts';
export * from './outbox/queries.ts';
export * from './storage/session.ts';
export { forgetShared, keepShared, readShared } from './drafts/shared-photos.ts';
export { leaveQueue, waitingFor } from './outbox/entry-commands.ts';
export { acknowledgeLoss, noticeLoss } from './storage/storage-loss.ts';
export { engineOf } from './storage/engine.ts';
export { leaveNothingOpen, watchStorage } from './storage/transactions.ts';
export { persistence, requestPersistence } from './storage/persistence.ts';
