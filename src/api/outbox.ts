import type { FileReference, OutboxEntry, RecordId } from '../domain/outbox/vocabulary.ts';
import type { ResourceName } from '../domain/resource.ts';
import type { Values } from '../domain/validate.ts';
import * as actions from '../offline/actions.ts';
import { browserEnvironment } from '../offline/browser-environment.ts';
import type { ChangeDraft, DraftAbout } from '../offline/draft.ts';
import { enqueue } from '../offline/enqueue.ts';
import { exportQueue, type ImportResult, importQueue } from '../offline/export.ts';
import { openFile } from '../offline/files.ts';
import { follow } from '../offline/follow.ts';
import { outboxWasWiped } from '../offline/wipe-mark.ts';
import { filesToMend, repair } from '../offline/repair.ts';
import { type LeavePolicy, leaveQueue, waitingFor } from '../offline/sign-out.ts';
import { expectSettling } from './settling.ts';
import { wake } from './worker-bridge.ts';

export type { ChangeDraft, DraftAbout, PickedFile } from '../offline/draft.ts';
export { FileUnreadableError, StorageFullError } from '../offline/errors.ts';
export type { ImportResult } from '../offline/export.ts';
export type { LeavePolicy } from '../offline/sign-out.ts';

const device = browserEnvironment;

/** Does the work, then wakes the sender: the database is the truth, the wake-up a hint. */
async function thenWake<T>(work: Promise<T>): Promise<T> {
  const result = await work;
  wake();
  return result;
}

/** The page's single handle on the outbox. */
export const outbox = {
  /**
   * Saves a change on this device; resolves only when it is durable, then wakes the sender.
   * Throws StorageFullError (with the sizes) or FileUnreadableError (with the file's name); nothing is saved then.
   */
  enqueue: (draft: ChangeDraft, about: DraftAbout): Promise<OutboxEntry> =>
    thenWake(enqueue(device(), draft, about).then(expectSettling)),

  /** Resolves when the change is done, refused or in conflict, or at the time limit (4 s) as it then stands. */
  follow: (entryId: string, forMilliseconds?: number): Promise<OutboxEntry> =>
    follow(device(), entryId, forMilliseconds),

  /** Takes a refused change back into the open form: it and its continuation parts leave the queue. */
  withdraw: (entryId: string): Promise<void> => actions.withdraw(device(), entryId),

  /** Saves a refused change again: it keeps its place in the order. Throws as `enqueue` does. */
  repair: (entryId: string, draft: ChangeDraft, about: DraftAbout): Promise<OutboxEntry> =>
    thenWake(repair(device(), entryId, draft, about).then(expectSettling)),

  /** The files of a refused change in all its parts, for the form that opens on it. */
  filesToMend: (entryId: string): Promise<FileReference[]> => filesToMend(device(), entryId),

  /** The changes that Discard would take along: a discarded create takes what was made of its record later. */
  discardedWith: (entryId: string): Promise<OutboxEntry[]> => actions.discardedWith(device(), entryId),

  /** Gives a change up for good, with those of `discardedWith`. */
  discard: (entryId: string): Promise<void> => thenWake(actions.discard(device(), entryId)),

  /** Gives all waiting changes of an administrator up for good. */
  discardAll: (administrator: string): Promise<void> => actions.discardAll(device(), administrator),

  /** Takes a delete back that was not sent yet. False when it is too late. */
  undo: (entryId: string): Promise<boolean> => thenWake(actions.undo(device(), entryId)),

  /** Takes one file out of a change that was never attempted. False when it is too late. */
  dropFile: (entryId: string, fileId: string): Promise<boolean> => actions.dropFile(device(), entryId, fileId),

  /** Tries one change again now, also a refused one. */
  retry: (entryId: string): Promise<void> => thenWake(actions.retry(device(), entryId)),

  /** Ends every wait, also one that the server asked for, and sends. */
  sendNow: (): Promise<void> => thenWake(actions.sendNow(device())),

  /** A conflict is decided: `merged` goes on top of what the server held. For a delete the values are not used. */
  resolve: (entryId: string, merged: Values, withoutFiles: readonly string[] = []): Promise<void> =>
    thenWake(actions.resolve(device(), entryId, merged, withoutFiles)),

  /** "Did this save?" is answered with yes: that row of the server is the record. */
  adopt: (entryId: string, serverId: number): Promise<void> => thenWake(actions.adopt(device(), entryId, serverId)),

  /** One change, done or not. */
  entry: (entryId: string): Promise<OutboxEntry | undefined> => actions.findEntry(device(), entryId),

  /** A queued file's bytes under its own name and type. FileLostError when size or hash do not match. */
  file: (reference: FileReference): Promise<File> => openFile(device(), reference),

  /** The server's id of a record made on this device, once it is known. */
  serverIdOf: (resource: ResourceName, localId: RecordId): Promise<number | undefined> =>
    actions.serverIdOf(device(), resource, localId),

  /** How many changes wait for an administrator: what signing out has to ask about. */
  waitingFor: (administrator: string): Promise<number> => waitingFor(device(), administrator),

  /** Signing out with changes waiting: `keep` leaves them for that administrator's return, `discard` gives them up. */
  leave: (administrator: string, policy: LeavePolicy): Promise<void> => leaveQueue(device(), administrator, policy),

  /** The whole queue with its files as one file. */
  exportQueue: (administrator: string): Promise<Blob> => exportQueue(device(), administrator),

  /** Takes a queue file in. Changes that are here or were sent from here are left out. Throws on a damaged file. */
  importQueue: (file: Blob): Promise<ImportResult> => thenWake(importQueue(device(), file)),

  /** True once after the browser has thrown the outbox away with changes in it. */
  wasWiped: (): Promise<boolean> => outboxWasWiped(device()),
};
