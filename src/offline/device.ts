/**
 * All that a page does with the databases of its device, as one piece of code. The database library is a sixth of what a page
 * needs, and the first rows of a first visit come from the server: `src/api/device.ts` loads this beside them.
 */
export * from './actions.ts';
export * from './browser-environment.ts';
export * as cache from './cache.ts';
export { deviceDrafts } from './drafts.ts';
export { enqueue } from './enqueue.ts';
export { exportQueue, importQueue } from './export.ts';
export { openFile } from './files.ts';
export { follow } from './follow.ts';
export { watch } from './outbox-db.ts';
export { isLongInterrupted, isWorkOverdue } from './overdue.ts';
export * from './queries.ts';
export { contentToMend, repair } from './repair.ts';
export * from './session-copy.ts';
export { forgetShared, readShared } from './shared.ts';
export { leaveQueue, waitingFor } from './sign-out.ts';
export { outboxWasWiped } from './wipe-mark.ts';
