import type { FileReference, OutboxEntry, RecordId } from '../domain/outbox/vocabulary.ts';
import type { ResourceName } from '../domain/resource.ts';
import type { Values } from '../domain/validate.ts';
import type { ChangeDraft, DraftAbout } from '../offline/outbox/change-draft.ts';
import type { Environment } from '../offline/storage/environment.ts';
import type { ImportResult } from '../offline/outbox/export.ts';
import type { LeavePolicy } from '../offline/outbox/entry-commands.ts';
import { type Device, device } from './device.ts';
import { expectSettling } from './confirmed-overlay.ts';
import { wake } from './worker-bridge.ts';

export type { ChangeDraft, DraftAbout } from '../offline/outbox/change-draft.ts';
export type { PickedFile } from '../offline/storage/files.ts';
export { FileUnreadableError, QueueFileError, StorageFullError } from '../offline/storage/errors.ts';
export type { ImportResult } from '../offline/outbox/export.ts';
export type { LeavePolicy } from '../offline/outbox/entry-commands.ts';

type Work<T> = (offline: Device, here: Environment) => Promise<T>;

async function ask<T>(work: Work<T>): Promise<T> {
  const offline = await device();
  return work(offline, offline.browserEnvironment());
}

/** Does the work, then wakes the sender. The database is the truth; the wake-up is a hint. */
async function thenWake<T>(work: Work<T>): Promise<T> {
  const result = await ask(work);
  wake();
  return result;
}

/** The page's only interface to the outbox. */
export const outbox = {
  /**
   * Saves a change on this device and wakes the sender. Resolves only when the change is durable.
   * Throws StorageFullError (with the sizes) FileUnreadableError (with the file's name) or LoggedOutError, and then saves nothing.
   */
  enqueue: (draft: ChangeDraft, about: DraftAbout): Promise<OutboxEntry> =>
    thenWake((offline, here) => offline.enqueue(here, draft, about).then(expectSettling)),

  /** Resolves when the change is done, refused or in conflict, or with its current state at the time-out (4 s). */
  follow: (entryId: string, forMilliseconds?: number): Promise<OutboxEntry> =>
    ask((offline, here) => offline.follow(here, entryId, forMilliseconds)),

  /** Takes a refused change out of the queue and back into the open form. Resolves to false if it has to stay. */
  withdraw: (saved: Pick<OutboxEntry, 'id' | 'mergedSaves'>): Promise<boolean> =>
    ask((offline, here) => offline.withdraw(here, saved)),

  /** Saves a refused change again, in its place in the queue. Throws like `enqueue`. */
  repair: (entryId: string, draft: ChangeDraft, about: DraftAbout): Promise<OutboxEntry> =>
    thenWake((offline, here) => offline.repair(here, entryId, draft, about).then(expectSettling)),

  /** The changes that Discard would also remove: discarding a create discards the later changes of its record. */
  discardedWith: (entryId: string): Promise<OutboxEntry[]> =>
    ask((offline, here) => offline.discardedWith(here, entryId)),

  /** Discards a change permanently, with those of `discardedWith`. */
  discard: (entryId: string): Promise<void> => thenWake((offline, here) => offline.discard(here, entryId)),

  /** Discards all of an administrator's pending changes permanently. */
  discardAll: (administrator: string): Promise<void> => ask((offline, here) => offline.discardAll(here, administrator)),

  /** Undoes a delete that has not been sent. Resolves to false if it is too late. */
  undo: (entryId: string): Promise<boolean> => thenWake((offline, here) => offline.undo(here, entryId)),

  /** Removes a file from a change that was never attempted. Resolves to false if it is too late. */
  dropFile: (entryId: string, fileId: string): Promise<boolean> =>
    ask((offline, here) => offline.dropFile(here, entryId, fileId)),

  /** Retries a change now, even a refused one. */
  retry: (entryId: string): Promise<void> => thenWake((offline, here) => offline.retry(here, entryId)),

  /** Pauses or resumes the upload of a change's staged files. */
  haltFiles: (entryId: string, halted: boolean): Promise<void> =>
    thenWake((offline, here) => offline.haltFiles(here, entryId, halted)),

  /** Uploads a change's files that wait for Wi-Fi over any link. */
  sendOverAnyLink: (entryId: string): Promise<void> =>
    thenWake((offline, here) => offline.sendOverAnyLink(here, entryId)),

  /** From now on, files larger than `over` bytes are uploaded only over Wi-Fi. `undefined`: all files over any link. */
  keepForWifi: (over: number | undefined): Promise<void> =>
    thenWake((offline, here) => offline.keepForWifi(here, over)),

  /** Ends every wait, including one requested by the server, and sends. */
  sendNow: (): Promise<void> => thenWake((offline, here) => offline.sendNow(here)),

  /** Resolves a conflict: `merged` is applied to the server's version. A delete ignores the values. */
  resolve: (entryId: string, merged: Values, withoutFiles: readonly string[] = []): Promise<void> =>
    thenWake((offline, here) => offline.resolve(here, entryId, merged, withoutFiles)),

  /** Answers "Did this save?" with yes: the given server row is the record. */
  adopt: (entryId: string, serverId: number): Promise<void> =>
    thenWake((offline, here) => offline.adopt(here, entryId, serverId)),

  /** A change, finished or not. */
  entry: (entryId: string): Promise<OutboxEntry | undefined> =>
    ask((offline, here) => offline.findEntry(here, entryId)),

  /** A queued file with its own name and type. Throws FileLostError if its size or hash does not match. */
  file: (reference: FileReference): Promise<File> => ask((offline, here) => offline.openFile(here, reference)),

  /** The server id of a record created on this device, once known. */
  serverIdOf: (resource: ResourceName, localId: RecordId): Promise<number | undefined> =>
    ask((offline, here) => offline.serverIdOf(here, resource, localId)),

  /** Number of an administrator's pending changes, which signing out asks about. */
  waitingFor: (administrator: string): Promise<number> =>
    ask((offline, here) => offline.waitingFor(here, administrator)),

  /** Signs out with changes pending: `keep` leaves them for the administrator's next sign-in, `discard` removes them. */
  leave: (administrator: string, policy: LeavePolicy): Promise<void> =>
    ask((offline, here) => offline.leaveQueue(here, administrator, policy)),

  /** Exports the whole queue with its files as one file. */
  exportQueue: (administrator: string): Promise<Blob> =>
    ask((offline, here) => offline.exportQueue(here, administrator)),

  /** Imports a queue file. Skips changes that are on this device or were sent from it. Throws QueueFileError. */
  importQueue: (file: Blob): Promise<ImportResult> => thenWake((offline, here) => offline.importQueue(here, file)),

  /** Acknowledges that the browser has deleted the outbox. */
  acknowledgeLoss: (): Promise<void> => ask((offline, here) => offline.acknowledgeLoss(here)),
};
