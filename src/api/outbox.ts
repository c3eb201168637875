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

/** Does the work, then wakes the sender: the database is the truth, the wake-up a hint. */
async function thenWake<T>(work: Work<T>): Promise<T> {
  const result = await ask(work);
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
    thenWake((offline, here) => offline.enqueue(here, draft, about).then(expectSettling)),

  /** Resolves when the change is done, refused or in conflict, or at the time limit (4 s) as it then stands. */
  follow: (entryId: string, forMilliseconds?: number): Promise<OutboxEntry> =>
    ask((offline, here) => offline.follow(here, entryId, forMilliseconds)),

  /** Takes a refused change back into the open form: it leaves the queue. */
  withdraw: (entryId: string): Promise<void> => ask((offline, here) => offline.withdraw(here, entryId)),

  /** Saves a refused change again: it keeps its place in the order. Throws as `enqueue` does. */
  repair: (entryId: string, draft: ChangeDraft, about: DraftAbout): Promise<OutboxEntry> =>
    thenWake((offline, here) => offline.repair(here, entryId, draft, about).then(expectSettling)),

  /** The changes that Discard would take along: a discarded create takes what was made of its record later. */
  discardedWith: (entryId: string): Promise<OutboxEntry[]> =>
    ask((offline, here) => offline.discardedWith(here, entryId)),

  /** Gives a change up for good, with those of `discardedWith`. */
  discard: (entryId: string): Promise<void> => thenWake((offline, here) => offline.discard(here, entryId)),

  /** Gives all waiting changes of an administrator up for good. */
  discardAll: (administrator: string): Promise<void> => ask((offline, here) => offline.discardAll(here, administrator)),

  /** Takes a delete back that was not sent yet. False when it is too late. */
  undo: (entryId: string): Promise<boolean> => thenWake((offline, here) => offline.undo(here, entryId)),

  /** Takes one file out of a change that was never attempted. False when it is too late. */
  dropFile: (entryId: string, fileId: string): Promise<boolean> =>
    ask((offline, here) => offline.dropFile(here, entryId, fileId)),

  /** Tries one change again now, also a refused one. */
  retry: (entryId: string): Promise<void> => thenWake((offline, here) => offline.retry(here, entryId)),

  /** Halts the files of a change that travel before it, or lets them go on. */
  haltFiles: (entryId: string, halted: boolean): Promise<void> =>
    thenWake((offline, here) => offline.haltFiles(here, entryId, halted)),

  /** The files of a change that wait for Wi-Fi go over any link. */
  sendOverAnyLink: (entryId: string): Promise<void> =>
    thenWake((offline, here) => offline.sendOverAnyLink(here, entryId)),

  /** Files of more bytes go over Wi-Fi alone from now on; `undefined`: all go over any link. */
  keepForWifi: (over: number | undefined): Promise<void> =>
    thenWake((offline, here) => offline.keepForWifi(here, over)),

  /** Ends every wait, also one that the server asked for, and sends. */
  sendNow: (): Promise<void> => thenWake((offline, here) => offline.sendNow(here)),

  /** A conflict is decided: `merged` goes on top of what the server held. For a delete the values are not used. */
  resolve: (entryId: string, merged: Values, withoutFiles: readonly string[] = []): Promise<void> =>
    thenWake((offline, here) => offline.resolve(here, entryId, merged, withoutFiles)),

  /** "Did this save?" is answered with yes: that row of the server is the record. */
  adopt: (entryId: string, serverId: number): Promise<void> =>
    thenWake((offline, here) => offline.adopt(here, entryId, serverId)),

  /** One change, done or not. */
  entry: (entryId: string): Promise<OutboxEntry | undefined> =>
    ask((offline, here) => offline.findEntry(here, entryId)),

  /** A queued file's bytes under its own name and type. FileLostError when size or hash do not match. */
  file: (reference: FileReference): Promise<File> => ask((offline, here) => offline.openFile(here, reference)),

  /** The server's id of a record made on this device, once it is known. */
  serverIdOf: (resource: ResourceName, localId: RecordId): Promise<number | undefined> =>
    ask((offline, here) => offline.serverIdOf(here, resource, localId)),

  /** How many changes wait for an administrator: what signing out has to ask about. */
  waitingFor: (administrator: string): Promise<number> =>
    ask((offline, here) => offline.waitingFor(here, administrator)),

  /** Signing out with changes waiting: `keep` leaves them for that administrator's return, `discard` gives them up. */
  leave: (administrator: string, policy: LeavePolicy): Promise<void> =>
    ask((offline, here) => offline.leaveQueue(here, administrator, policy)),

  /** The whole queue with its files as one file. */
  exportQueue: (administrator: string): Promise<Blob> =>
    ask((offline, here) => offline.exportQueue(here, administrator)),

  /** Takes a queue file in. Changes that are here or were sent from here are left out. Throws QueueFileError. */
  importQueue: (file: Blob): Promise<ImportResult> => thenWake((offline, here) => offline.importQueue(here, file)),

  /** Somebody has read that the browser has thrown the outbox away. */
  acknowledgeLoss: (): Promise<void> => ask((offline, here) => offline.acknowledgeLoss(here)),
};
