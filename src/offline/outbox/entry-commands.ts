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

/** What an administrator can do with a change that waits. Each is one transaction. */

/** One change, done or not. */
export async function findEntry({ outbox }: Environment, entryId: string): Promise<OutboxEntry | undefined> {
  return transact(outbox, 'r', [outbox.entries], () => outbox.entries.where('id').equals(entryId).first());
}

/** The server's id of a record made on this device, once it is known. */
export async function serverIdOf(
  { outbox }: Environment,
  resource: ResourceName,
  localId: RecordId,
): Promise<number | undefined> {
  const identity = await transact(outbox, 'r', [outbox.identities], () => outbox.identities.get([resource, localId]));
  return identity?.serverId;
}

/** The other changes that go when this one is discarded: with a create all that was made of its record. */
export async function discardedWith({ outbox }: Environment, entryId: string): Promise<OutboxEntry[]> {
  return transact(outbox, 'r', [outbox.entries], async () => {
    const [first, ...others] = discardedBy(entryId, await unfinished(outbox));
    return first === undefined ? [] : others;
  });
}

/** Gives a change up for good. The fields that later changes of the record did not touch go back to what was before. */
export async function discard(environment: Environment, entryId: string): Promise<void> {
  const { outbox } = environment;
  await editing(environment, async () => {
    const entries = await unfinished(outbox);
    const gone = discardedBy(entryId, entries);
    const [first] = gone;
    if (first === undefined) return;
    await remove(environment, gone);
    const key = recordKey(first.change);
    const behind = entries.filter((entry) => entry.sequence > first.sequence && !gone.includes(entry));
    const later = behind.filter((entry) => isReadable(entry) && recordKey(entry.change) === key);
    const discarded = withoutDiscarded(first);
    await outbox.entries.bulkPut(
      later.map((entry) =>
        isDeliveryUnknown(entry) || entry.state === 'sending'
          ? discardedBehind(entry, discarded)
          : renewed(environment, afterDiscarded(entry, discarded)),
      ),
    );
  });
}

/** Gives all waiting changes of an administrator up for good. */
export async function discardAll(environment: Environment, administrator: string): Promise<void> {
  await editing(environment, async () => {
    const entries = await unfinished(environment.outbox);
    await remove(
      environment,
      entries.filter((entry) => entry.administrator === administrator),
    );
  });
}

/** Takes a refused change back into its form. One that is not refused any more stays, and one that may be on the server. */
export async function withdraw(environment: Environment, entryId: string): Promise<void> {
  const entry = await findEntry(environment, entryId);
  if (entry !== undefined && statusOf(entry) === 'refused' && !mayBeDelivered(entry))
    await discard(environment, entryId);
}

/** Takes back a delete, of a record or of one image, that was not sent from here; one that was taken back before stays so. False when it is too late. */
export async function undo(environment: Environment, entryId: string): Promise<boolean> {
  return editing(environment, async () => {
    const entry = await findEntry(environment, entryId);
    if (entry === undefined) return true;
    if (!isDeletion(entry) || entry.state === 'done' || !isUntried(entry)) return false;
    await remove(environment, [entry]);
    return true;
  });
}

/** Takes one file out of a change that was never attempted. False when it is too late. */
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
 * Tries a change again now, under its own key: a refusal is not stored with it, and a first request that was long on its way may
 * still arrive after the refusal of a repeat.
 */
export async function retry(environment: Environment, entryId: string): Promise<void> {
  await editing(environment, async () => {
    const entry = await stored(environment, entryId);
    if (entry === undefined || !isHeldBack(entry)) return;
    await environment.outbox.entries.put(apply(entry, { event: 'retry', idempotencyKey: environment.uuid() }));
    await endPause(environment);
  });
}

/** Ends every wait of the signed-in administrator's changes, and the queue's, also one that the server asked for. */
export async function sendNow(environment: Environment): Promise<void> {
  const { outbox } = environment;
  await editing(environment, async () => {
    const waiting = (await outbox.entries.where('state').equals('pending').toArray()).filter(isReadable);
    await outbox.entries.bulkPut(waiting.filter(waitsForAnother).map((entry) => apply(entry, { event: 'hurry' })));
    await endUploadWaits(outbox);
    await endPause(environment);
  });
}

/** The link seems to be back: the waits for its sake end, the queue's and each change's; one that the server asked for stays. */
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
 * The server has answered something small: the queue's wait for the link ends. What was too much for the link waits on, or every
 * list that is opened would send its megabytes again.
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
 * A conflict is decided: `merged` goes on top of what the server held when it was found. Files named in `withoutFiles` are
 * left out: theirs stays.
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

/** "Did this save?" is answered with yes: that row of the server is the record. */
export async function adopt(environment: Environment, entryId: string, serverId: number): Promise<void> {
  await editing(environment, async () => {
    const entry = await stored(environment, entryId);
    if (entry?.state !== 'attention' || !isCreate(entry)) return;
    const receipt = { at: environment.now(), message: 'It had already arrived.', serverId };
    await confirm(environment, entry, receipt, plainFollower(entry));
  });
}

/** What becomes of waiting changes at sign-out: `keep` for that administrator's return, or `discard` for good. */
export type LeavePolicy = 'keep' | 'discard';

/** How many changes wait for an administrator. */
export async function waitingFor({ outbox }: Environment, administrator: string): Promise<number> {
  const entries = await transact(outbox, 'r', [outbox.entries], () => unfinished(outbox));
  return entries.filter((entry) => entry.administrator === administrator).length;
}

/** Carries out what was decided at sign-out. Kept changes stay as they are: nobody else's session ever sends them. */
export async function leaveQueue(environment: Environment, administrator: string, policy: LeavePolicy): Promise<void> {
  if (policy === 'discard') await discardAll(environment, administrator);
}

/** One transaction over the whole outbox, on a full device too as far as giving up the cache helps. Throws StorageFullError. */
export async function editing<T>(environment: Environment, work: () => Promise<T>): Promise<T> {
  return withinQuota(environment, 0, () => inOneTransaction(environment, work));
}

/** One transaction over the whole outbox. */
export async function inOneTransaction<T>({ outbox }: Environment, work: () => Promise<T>): Promise<T> {
  return transact(outbox, 'rw', [outbox.entries, outbox.files, outbox.identities, outbox.meta], work);
}

/** Removes entries with the bytes of their files. Joins the transaction it is called in. */
export async function remove({ outbox }: Environment, entries: readonly OutboxEntry[]): Promise<void> {
  await outbox.entries.bulkDelete(entries.map(({ sequence }) => sequence));
  await removeFiles(outbox, entries.flatMap(filesOf));
}

/** The not-done entry of that id. Joins the transaction it is called in. */
export async function stored({ outbox }: Environment, entryId: string): Promise<OutboxEntry | undefined> {
  const entry = await outbox.entries.where('id').equals(entryId).first();
  return entry?.state === 'done' ? undefined : entry;
}

/** A new key for a payload that may have changed. What may be on the server keeps its key, which is what makes it safe. */
function renewed({ uuid }: Environment, entry: OutboxEntry): OutboxEntry {
  return mayBeDelivered(entry) ? entry : { ...entry, idempotencyKey: uuid() };
}

/** The change itself first, then those that go with it. */
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
