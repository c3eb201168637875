import { isDeliveryUnknown } from '../../domain/outbox/delivery.ts';
import { apply } from '../../domain/outbox/lifecycle.ts';
import { statusOf } from '../../domain/outbox/status.ts';
import { isUntouched } from '../../domain/outbox/scheduler.ts';
import { filesOf } from '../../domain/outbox/vocabulary.ts';
import { type Change, type FileReference, type OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import type { Values } from '../../domain/validate.ts';
import { findEntry, inOneTransaction, remove } from './entry-commands.ts';
import type { ChangeDraft, DraftAbout } from './change-draft.ts';
import { changeOf, filesOfChange, partsOf, pickedFiles, requestLimits } from './enqueue.ts';
import type { Environment } from '../storage/environment.ts';
import { prepareFiles, removeFiles, storeFiles } from '../storage/files.ts';
import type { PreparedFile } from '../storage/files.ts';
import { unfinished } from '../storage/outbox-database.ts';
import { transact } from '../storage/transactions.ts';
import { insertAfter } from './insert-after.ts';
import { makeRoom, withinQuota } from '../storage/quota.ts';

/** What a refused change amounts to with all its parts, an earlier mending among them: what its form shows when it is opened again. */
export interface ToMend {
  readonly values: Values;
  readonly files: readonly FileReference[];
}

/** Reads what the form of a refused change is to show. */
export async function contentToMend({ outbox }: Environment, entryId: string): Promise<ToMend> {
  const entries = await transact(outbox, 'r', [outbox.entries], () => unfinished(outbox));
  const whole = wholeOf(entryId, entries);
  const texts = whole.map(({ change }) => ('values' in change ? change.values : {}));
  return { values: Object.assign({}, ...texts) as Values, files: whole.flatMap(filesOf) };
}

/**
 * Saves a refused change again, with what the administrator mended. It keeps its place in the order and its record's id.
 * Throws StorageFullError or FileUnreadableError, and an Error when the change is not refused any more.
 */
export async function repair(
  environment: Environment,
  entryId: string,
  draft: ChangeDraft,
  about: DraftAbout,
): Promise<OutboxEntry> {
  const prepared = await prepareFiles(environment, pickedFiles(draft));
  const bytes = prepared.reduce((sum, { reference }) => sum + reference.size, 0);
  await makeRoom(environment, bytes);
  let before: OutboxEntry | undefined;
  return withinQuota(environment, bytes, () =>
    inOneTransaction(environment, async () => {
      const entry = await findEntry(environment, entryId);
      if (entry === undefined || statusOf(entry) !== 'refused') {
        // an earlier run whose answer was lost with the connection may have been completed, and sent by now
        if (entry !== undefined && isSameChange(entry, before)) return entry;
        throw new Error('This change is not refused any more.');
      }
      const change = keepingRecord(await changeOf(environment, draft, prepared), entry.change);
      before =
        isDeliveryUnknown(entry) && entry.reason?.code !== 'file-lost'
          ? await mendBehind(environment, entry, change, about, prepared)
          : await mend(environment, entry, change, about, prepared);
      return before;
    }),
  );
}

function isSameChange(entry: OutboxEntry, other: OutboxEntry | undefined): boolean {
  return JSON.stringify(entry.change) === JSON.stringify(other?.change);
}

/**
 * The mended change takes the refused one's place, under its key: a first request that was long on its way may still arrive, or a
 * copy that was carried off. The server then tells that it knows the key with another payload.
 */
async function mend(
  environment: Environment,
  entry: OutboxEntry,
  change: Change,
  about: DraftAbout,
  prepared: readonly PreparedFile[],
): Promise<OutboxEntry> {
  const { outbox } = environment;
  const [, ...parts] = wholeOf(entry.id, await unfinished(outbox));
  await remove(environment, parts);
  await removeFiles(outbox, filesOf(entry));
  const [first = change, ...others] = partsOf(change, await requestLimits(outbox));
  const mended = apply(entry, { event: 'repair', change: first, title: about.title });
  await outbox.entries.put(mended);
  await insertAfter(environment, mended, others);
  await storeFiles(outbox, entry.id, prepared);
  return mended;
}

/**
 * It may have been carried out after all: then it must go out again as it was, under its own key, and what was mended
 * follows it as an edit. An edit of what may be there twice would be worse. What followed it before was mended with it.
 */
async function mendBehind(
  environment: Environment,
  entry: OutboxEntry,
  change: Change,
  about: DraftAbout,
  prepared: readonly PreparedFile[],
): Promise<OutboxEntry> {
  const { outbox } = environment;
  const [, ...parts] = wholeOf(entry.id, await unfinished(outbox));
  await remove(environment, parts.filter(isUntouched));
  const waiting = [entry, ...parts.filter((part) => !isUntouched(part))].flatMap(filesOf);
  const edit = editOn(entry.change, change, waiting);
  // to mend is no answer to the question which row it is: the edit waits for that
  const again =
    entry.candidates === undefined ? apply(entry, { event: 'retry', idempotencyKey: entry.idempotencyKey }) : entry;
  await outbox.entries.put(again);
  await insertAfter(environment, entry, partsOf(edit, await requestLimits(outbox)), { title: about.title });
  await storeFiles(outbox, entry.id, filesOfChange(edit, prepared));
  return again;
}

/** The mended change as an edit of what the first one leaves behind; files it had are not added once more. */
function editOn(first: Change, mended: Change, waiting: readonly FileReference[]): Change {
  if (!('values' in first) || !('values' in mended)) return mended;
  const files = mended.files.filter((file) => !waiting.some(({ sha256 }) => sha256 === file.sha256));
  const base = { values: first.values, imageIds: [] };
  const { resource, recordId, values } = mended;
  return { op: 'update', resource, recordId, values, files, base };
}

/** A change and the parts that it was divided into. */
function wholeOf(entryId: string, entries: readonly OutboxEntry[]): OutboxEntry[] {
  return entries.filter(({ id, parentId }) => id === entryId || parentId === entryId);
}

/** The form was opened on this change: its record stays the same one. */
function keepingRecord(change: Change, before: Change): Change {
  if (before.op === 'create' && change.op === 'update') {
    return {
      op: 'create',
      resource: before.resource,
      recordId: before.recordId,
      values: change.values,
      files: change.files,
    };
  }
  return { ...change, recordId: before.recordId };
}
