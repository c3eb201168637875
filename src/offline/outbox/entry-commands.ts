import { apply } from '../../domain/outbox/lifecycle.ts';
import { isTooMuchForLink, statusOf, waitsForAnother } from '../../domain/outbox/status.ts';
import { isDeletion, isReadable, isUntouched, isUntried } from '../../domain/outbox/scheduler.ts';
import { isDeliveryUnknown, mayBeDelivered } from '../../domain/outbox/delivery.ts';
import { afterDiscarded, discardedBehind, withoutDiscarded } from '../../domain/outbox/rebase.ts';
import { filesOf, type OutboxEntry, type RecordId, recordKey } from '../../domain/outbox/vocabulary.ts';
import type { ResourceName } from '../../domain/resource.ts';
import type { Values } from '../../domain/validate.ts';
import { browserEnvironment } from '../storage/browser-environment.ts';
import { confirm, isCreate, plainFollower } from './confirm.ts';
import type { Environment } from '../storage/environment.ts';
import { withinQuota } from '../storage/quota.ts';
import { removeFiles } from '../storage/files.ts';
import { readMeta, writeMeta } from '../storage/meta.ts';
import { type OutboxDatabase, unfinished } from '../storage/outbox-database.ts';
import { endUploadWaits } from '../storage/uploads.ts';
import { transact } from '../storage/transactions.ts';

/** What an administrator can do with a queued change. Each command is one transaction. */

/** Finds a change by id, done or not. */
export async function findEntry({ outbox }: Environment, entryId: string): Promise<OutboxEntry | undefined> {
  return transact(outbox, 'r', [outbox.entries], () => outbox.entries.where('id').equals(entryId).first());
}

/** The server's id for a record created on this device, once it is known. */
export async function serverIdOf(
  { outbox }: Environment,
  resource: ResourceName,
  localId: RecordId,
): Promise<number | undefined> {
  const identity = await transact(outbox, 'r', [outbox.identities], () => outbox.identities.get([resource, localId]));
  return identity?.serverId;
}

/** The other changes that are discarded with this one: for a create, all later changes of its record. */
export async function discardedWith({ outbox }: Environment, entryId: string): Promise<OutboxEntry[]> {
  return transact(outbox, 'r', [outbox.entries], async () => {
    const [first, ...others] = discardedBy(entryId, await unfinished(outbox));
    return first === undefined ? [] : others;
  });
}

/** Discards a change for good. In later changes of the record, untouched fields revert to their earlier values. */
export async function discard(environment: Environment, entryId: string): Promise<void> {
  await editing(environment, async () => {
    const entries = await unfinished(environment.outbox);
    await discardAmong(environment, discardedBy(entryId, entries), entries);
  });
}

/** Discards the leading change of `gone` with the others. Joins the caller's transaction. */
async function discardAmong(
  environment: Environment,
  gone: readonly OutboxEntry[],
  entries: readonly OutboxEntry[],
): Promise<void> {
  const [first] = gone;
  if (first === undefined) return;
  await remove(environment, gone);
  const key = recordKey(first.change);
  const behind = entries.filter((entry) => entry.sequence > first.sequence && !gone.includes(entry));
  const later = behind.filter((entry) => isReadable(entry) && recordKey(entry.change) === key);
  const discarded = withoutDiscarded(first);
  await environment.outbox.entries.bulkPut(
    later.map((entry) =>
      isDeliveryUnknown(entry) || entry.state === 'sending'
        ? discardedBehind(entry, discarded)
        : renewed(environment, afterDiscarded(entry, discarded)),
    ),
  );
}

/** Discards all of an administrator's queued changes for good. */
export async function discardAll(environment: Environment, administrator: string): Promise<void> {
  await editing(environment, async () => {
    const entries = await unfinished(environment.outbox);
    await remove(
      environment,
      entries.filter((entry) => entry.administrator === administrator),
    );
  });
}

/**
 * Returns a refused change to its form. `saved` is the entry as the form's save returned it. Returns false and does nothing if
 * the change is no longer refused, may be on the server, or is not the form's alone: another save was merged into it, or a later
 * change would be discarded with it.
 */
export async function withdraw(
  environment: Environment,
  saved: Pick<OutboxEntry, 'id' | 'mergedSaves'>,
): Promise<boolean> {
  return editing(environment, async () => {
    const entries = await unfinished(environment.outbox);
    const gone = discardedBy(saved.id, entries);
    const [entry] = gone;
    if (entry === undefined || statusOf(entry) !== 'refused' || mayBeDelivered(entry)) return false;
    if (gone.length > 1 || entry.mergedSaves !== saved.mergedSaves) return false;
    await discardAmong(environment, gone, entries);
    return true;
  });
}

/**
 * Undoes the delete of a record or an image that this device has not tried to send, or that was rejected. Idempotent. Returns false
 * when it is too late.
 */
export async function undo(environment: Environment, entryId: string): Promise<boolean> {
  return editing(environment, async () => {
    const entry = await findEntry(environment, entryId);
    if (entry === undefined) return true;
    if (!isDeletion(entry) || !(isUntried(entry) || isRejected(entry))) return false;
    await remove(environment, [entry]);
    return true;
  });
}

/** True if a delete waits for a decision, is not on the server, and has dropped no earlier changes, which would not come back. */
function isRejected(entry: OutboxEntry): boolean {
  return entry.state === 'attention' && !mayBeDelivered(entry) && entry.tookAlong === undefined;
}

/** Removes one file from a change that was never attempted. Returns false when it is too late. */
export async function dropFile(environment: Environment, entryId: string, fileId: string): Promise<boolean> {
  return editing(environment, async () => {
    const entry = await stored(environment, entryId);
    if (entry === undefined || !isUntouched(entry) || !('files' in entry.change)) return false;
    const { change } = entry;
    const files = change.files.filter(({ id }) => id !== fileId);
    await removeFiles(
      environment.outbox,
      change.files.filter(({ id }) => id === fileId),
    );
    await environment.outbox.entries.put(renewed(environment, { ...entry, change: { ...change, files } }));
    return true;
  });
}

/**
 * Retries a change now, under its own key. The server stores no refusals under a key, and a delayed first request may still arrive after a
 * repeat was refused.
 */
export async function retry(environment: Environment, entryId: string): Promise<void> {
  await editing(environment, async () => {
    const entry = await stored(environment, entryId);
    if (entry === undefined || !isHeldBack(entry)) return;
    await environment.outbox.entries.put(apply(entry, { event: 'retry', idempotencyKey: environment.uuid() }));
    await endPause(environment);
  });
}

/** Ends the retry waits of changes, the waits of uploads and the queue's timed pause, even one that the server asked for. Undo windows stay. */
export async function sendNow(environment: Environment): Promise<void> {
  const { outbox } = environment;
  await editing(environment, async () => {
    const waiting = (await outbox.entries.where('state').equals('pending').toArray()).filter(isReadable);
    await outbox.entries.bulkPut(waiting.filter(waitsForAnother).map((entry) => apply(entry, { event: 'hurry' })));
    await endUploadWaits(outbox);
    await endPause(environment);
  });
}

/** The link seems to be back. Ends the waits caused by the link; waits that the server asked for remain. */
export async function linkReturned(environment: Environment = browserEnvironment()): Promise<void> {
  const { outbox } = environment;
  await editing(environment, async () => {
    const waiting = await outbox.entries.where('state').equals('pending').toArray();
    const freed = waiting.filter((entry) => isReadable(entry) && isTooMuchForLink(entry));
    await outbox.entries.bulkPut(freed.map((entry) => apply(entry, { event: 'hurry' })));
    await endUploadWaits(outbox);
    await endWaitForLink(outbox);
  });
}

/**
 * The server has answered a small request, which ends the queue's wait for the link. Changes too large for the link keep waiting; otherwise
 * every opened list would resend their megabytes.
 */
export async function serverAnswered(environment: Environment = browserEnvironment()): Promise<void> {
  await editing(environment, () => endWaitForLink(environment.outbox));
}

async function endWaitForLink(outbox: OutboxDatabase): Promise<void> {
  const pause = await readMeta(outbox, 'pause');
  if (pause?.until === undefined || pause.cause !== 'unreachable') return;
  await writeMeta(outbox, 'pause', { ...pause, until: pause.since });
}

/**
 * Resolves a conflict: `merged` is applied on top of what the server held when the conflict was found. Files whose ids are in `withoutFiles`
 * are dropped in favor of the server's.
 */
export async function resolve(
  environment: Environment,
  entryId: string,
  merged: Values,
  withoutFiles: readonly string[] = [],
): Promise<void> {
  await editing(environment, async () => {
    const entry = await stored(environment, entryId);
    if (entry?.conflict === undefined || !('base' in entry.change)) return;
    const dropped = filesOf(entry).filter(({ id }) => withoutFiles.includes(id));
    await removeFiles(environment.outbox, dropped);
    const { theirs } = entry.conflict;
    const change =
      'values' in entry.change ? { ...entry.change, base: theirs, values: merged } : { ...entry.change, base: theirs };
    const kept =
      'files' in change ? { ...change, files: change.files.filter((file) => !dropped.includes(file)) } : change;
    const { idempotencyKey } = renewed(environment, entry);
    await environment.outbox.entries.put(apply(entry, { event: 'resolve', change: kept, idempotencyKey }));
  });
}

/** Answers "Did this save?" with yes: the given row on the server is this record. */
export async function adopt(environment: Environment, entryId: string, serverId: number): Promise<void> {
  await editing(environment, async () => {
    const entry = await stored(environment, entryId);
    if (entry?.state !== 'attention' || !isCreate(entry)) return;
    const receipt = { at: environment.now(), message: 'It had already arrived.', serverId };
    await confirm(environment, entry, receipt, plainFollower(entry));
  });
}

/** What happens to queued changes at sign-out: `keep` until that administrator signs in again, or `discard` for good. */
export type LeavePolicy = 'keep' | 'discard';

/** The number of an administrator's queued changes. */
export async function waitingFor({ outbox }: Environment, administrator: string): Promise<number> {
  const entries = await transact(outbox, 'r', [outbox.entries], () => unfinished(outbox));
  return entries.filter((entry) => entry.administrator === administrator).length;
}

/** Applies the choice made at sign-out. Kept changes stay as they are: nobody else's session ever sends them. */
export async function leaveQueue(environment: Environment, administrator: string, policy: LeavePolicy): Promise<void> {
  if (policy === 'discard') await discardAll(environment, administrator);
}

/** Runs one transaction over the whole outbox. On a full device the cache is evicted first. Throws StorageFullError. */
export async function editing<T>(environment: Environment, work: () => Promise<T>): Promise<T> {
  return withinQuota(environment, 0, () => inOneTransaction(environment, work));
}

/** Runs one transaction over the whole outbox. */
export async function inOneTransaction<T>({ outbox }: Environment, work: () => Promise<T>): Promise<T> {
  return transact(outbox, 'rw', [outbox.entries, outbox.files, outbox.identities, outbox.meta], work);
}

/** Removes entries and the bytes of their files. Joins the caller's transaction. */
export async function remove({ outbox }: Environment, entries: readonly OutboxEntry[]): Promise<void> {
  await outbox.entries.bulkDelete(entries.map(({ sequence }) => sequence));
  await removeFiles(outbox, entries.flatMap(filesOf));
}

/** The unfinished entry with that id. Joins the caller's transaction. */
export async function stored({ outbox }: Environment, entryId: string): Promise<OutboxEntry | undefined> {
  const entry = await outbox.entries.where('id').equals(entryId).first();
  return entry?.state === 'done' ? undefined : entry;
}

/** Assigns a new key to a changed payload. A change that may be on the server keeps its key, so that it is never applied twice. */
function renewed({ uuid }: Environment, entry: OutboxEntry): OutboxEntry {
  return mayBeDelivered(entry) ? entry : { ...entry, idempotencyKey: uuid() };
}

/** The change itself, followed by those that are discarded with it. */
function discardedBy(entryId: string, entries: readonly OutboxEntry[]): OutboxEntry[] {
  const entry = entries.find(({ id }) => id === entryId);
  if (entry === undefined) return [];
  const key = recordKey(entry.change);
  const later = entries.filter((other) => other.sequence > entry.sequence && recordKey(other.change) === key);
  return entry.change.op === 'create' ? [entry, ...later] : [entry];
}

function isHeldBack(entry: OutboxEntry): boolean {
  return statusOf(entry) === 'refused' || waitsForAnother(entry) || statusOf(entry) === 'checking';
}

async function endPause({ outbox }: Environment): Promise<void> {
  const pause = await readMeta(outbox, 'pause');
  if (pause?.until !== undefined) await writeMeta(outbox, 'pause', { ...pause, until: pause.since });
}
