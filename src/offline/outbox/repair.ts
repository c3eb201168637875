import { isDeliveryUnknown } from '../../domain/outbox/delivery.ts';
import { apply } from '../../domain/outbox/lifecycle.ts';
import { statusOf } from '../../domain/outbox/status.ts';
import { isUntouched } from '../../domain/outbox/scheduler.ts';
import { filesOf } from '../../domain/outbox/vocabulary.ts';
import { type Change, type FileReference, type OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import type { Values } from '../../domain/validate.ts';
import { findEntry, inOneTransaction, remove } from './entry-commands.ts';
import type { ChangeDraft, DraftAbout } from './change-draft.ts';
import { changeOf, filesOfChange, insertAfter, partsOf, pickedFiles, requestLimits } from './enqueue.ts';
import type { Environment } from '../storage/environment.ts';
import { prepareFiles, removeFiles, storeFiles } from '../storage/files.ts';
import type { PreparedFile } from '../storage/files.ts';
import { unfinished } from '../storage/outbox-database.ts';
import { transact } from '../storage/transactions.ts';
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
 * Saves a refused change again, with what the administrator repaired. It keeps its place in the order and its record's id.
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
      const repaired = { entry, change, title: about.title, prepared };
      const isUnknown = isDeliveryUnknown(entry) && entry.reason?.code !== 'file-lost';
      before = await (isUnknown ? follow(environment, repaired) : replace(environment, repaired));
      return before;
    }),
  );
}

function isSameChange(entry: OutboxEntry, other: OutboxEntry | undefined): boolean {
  return JSON.stringify(entry.change) === JSON.stringify(other?.change);
}

/** A refused change, and what it is repaired to. */
interface Repair {
  readonly entry: OutboxEntry;
  readonly change: Change;
  readonly title: string;
  readonly prepared: readonly PreparedFile[];
}

/**
 * The repaired change takes the refused one's place, under its key: a first request that was long on its way may still arrive, or a
 * copy that was exported. The server then tells that it knows the key with another payload.
 */
async function replace(environment: Environment, { entry, change, title, prepared }: Repair): Promise<OutboxEntry> {
  const { outbox } = environment;
  await remove(environment, await partsBehind(outbox, entry));
  await removeFiles(outbox, filesOf(entry));
  const [first = change, ...others] = partsOf(change, await requestLimits(outbox));
  const repaired = apply(entry, { event: 'repair', change: first, title });
  await outbox.entries.put(repaired);
  await insertAfter(environment, repaired, others);
  await storeFiles(outbox, entry.id, prepared);
  return repaired;
}

/**
 * Nothing is edited while delivery is unknown: the change goes out again as it was, under its own key, and what was repaired follows it
 * as an edit. What followed it before was repaired with it.
 */
async function follow(environment: Environment, { entry, change, title, prepared }: Repair): Promise<OutboxEntry> {
  const { outbox } = environment;
  const parts = await partsBehind(outbox, entry);
  await remove(environment, parts.filter(isUntouched));
  const waiting = [entry, ...parts.filter((part) => !isUntouched(part))].flatMap(filesOf);
  const edit = editOn(entry.change, change, waiting);
  // to repair is no answer to the question which row it is: the edit waits for that
  const again =
    entry.candidates === undefined ? apply(entry, { event: 'retry', idempotencyKey: entry.idempotencyKey }) : entry;
  await outbox.entries.put(again);
  await insertAfter(environment, entry, partsOf(edit, await requestLimits(outbox)), { title });
  await storeFiles(outbox, entry.id, filesOfChange(edit, prepared));
  return again;
}

async function partsBehind(outbox: Environment['outbox'], { id }: OutboxEntry): Promise<OutboxEntry[]> {
  return wholeOf(id, await unfinished(outbox)).slice(1);
}

/** The repaired change as an edit of what the first one leaves behind; files it had are not added once more. */
function editOn(first: Change, repaired: Change, waiting: readonly FileReference[]): Change {
  if (!('values' in first) || !('values' in repaired)) return repaired;
  const files = repaired.files.filter((file) => !waiting.some(({ sha256 }) => sha256 === file.sha256));
  const base = { values: first.values, imageIds: [] };
  const { resource, recordId, values } = repaired;
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
