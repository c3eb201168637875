import { UNSENT } from '../../domain/outbox/delivery.ts';
import { mergeOf } from '../../domain/outbox/merge.ts';
import {
  type Change,
  ENTRY_SCHEMA,
  filesOf,
  isLocalId,
  localId,
  type OutboxEntry,
  recordKey,
} from '../../domain/outbox/vocabulary.ts';
import type { ChangeDraft, DraftAbout } from './change-draft.ts';
import type { Environment } from '../storage/environment.ts';
import { type PickedFile, type PreparedFile, prepareFiles, removeFiles, storeFiles } from '../storage/files.ts';
import { type NewEntry, type OutboxDatabase, unfinished, unfinishedOf } from '../storage/outbox-database.ts';
import { transact } from '../storage/transactions.ts';
import { askToPersist } from '../storage/persistence.ts';
import { makeRoom, withinQuota } from '../storage/quota.ts';
import { keepMark } from '../storage/storage-loss.ts';

/**
 * Saves a change on this device and returns its entry, or the entry it was merged into. Resolves only after the transaction
 * has completed. Throws StorageFullError or FileUnreadableError, in which case nothing is saved.
 */
export async function enqueue(environment: Environment, draft: ChangeDraft, about: DraftAbout): Promise<OutboxEntry> {
  const { outbox } = environment;
  const prepared = await prepareFiles(environment, pickedFiles(draft));
  const bytes = prepared.reduce((sum, { reference }) => sum + reference.size, 0);
  await makeRoom(environment, bytes);
  await withinQuota(environment, bytes, () => keepMark(environment));
  const id = environment.uuid();
  let runs = 0;
  let placed: OutboxEntry | undefined;
  const entry = await withinQuota(environment, bytes, () =>
    transact(outbox, 'rw', tablesFor(outbox, draft), async () => {
      runs += 1;
      // the first run may have been committed even though the connection was lost
      const saved = runs === 1 ? undefined : await savedBefore(outbox, id, placed, prepared);
      placed =
        saved ??
        (await place(environment, { id, change: await changeOf(environment, draft, prepared), about, prepared }));
      return placed;
    }),
  );
  askToPersist(environment);
  return entry;
}

/**
 * Finds what an earlier run of the same save wrote: a new entry, or the entry it was merged into (`placed`), recognized by that run's key or
 * one of its files. The entry may have been sent since. Undefined when that run was rolled back.
 */
async function savedBefore(
  outbox: OutboxDatabase,
  id: string,
  placed: OutboxEntry | undefined,
  prepared: readonly PreparedFile[],
): Promise<OutboxEntry | undefined> {
  const entry = await outbox.entries
    .where('id')
    .equals(placed?.id ?? id)
    .first();
  if (entry === undefined || entry.id === id || entry.idempotencyKey === placed?.idempotencyKey) return entry;
  return filesOf(entry).some((file) => prepared.some(({ reference }) => reference.id === file.id)) ? entry : undefined;
}

/** A new record without files needs one table. Each further table slows the transaction down. */
function tablesFor(outbox: OutboxDatabase, draft: ChangeDraft) {
  if (draft.op === 'create' && draft.files.length === 0) return [outbox.entries];
  return [outbox.entries, outbox.files, outbox.identities, outbox.meta];
}

/** The files a draft carries. */
export function pickedFiles(draft: ChangeDraft): readonly PickedFile[] {
  return draft.op === 'create' || draft.op === 'update' ? draft.files : [];
}

/** Builds the change for a draft. A local id that has since been confirmed is replaced by the server's id. */
export async function changeOf(
  { outbox, uuid }: Environment,
  draft: ChangeDraft,
  prepared: readonly PreparedFile[],
): Promise<Change> {
  const files = prepared.map(({ reference }) => reference);
  if (draft.op === 'create') return { ...draft, recordId: localId(uuid()), files };
  const known = isLocalId(draft.recordId) ? await outbox.identities.get([draft.resource, draft.recordId]) : undefined;
  const recordId = known === undefined ? draft.recordId : String(known.serverId);
  return draft.op === 'update' ? { ...draft, recordId, files } : { ...draft, recordId };
}

/** A new entry. The database assigns its sequence. */
export function freshEntry({ now, uuid }: Environment, id: string, change: Change, about: DraftAbout): NewEntry {
  const { administrator, title, undoFor } = about;
  const createdAt = now();
  return {
    schema: ENTRY_SCHEMA,
    id,
    administrator,
    change,
    title,
    idempotencyKey: uuid(),
    state: 'pending',
    delivery: UNSENT,
    createdAt,
    attempts: 0,
    ...(undoFor === undefined ? {} : { notBefore: createdAt + undoFor }),
  };
}

/** A save to be written. `id` is used if it gets an entry of its own. */
interface Save {
  readonly id: string;
  readonly change: Change;
  readonly about: DraftAbout;
  readonly prepared: readonly PreparedFile[];
}

async function place(environment: Environment, save: Save): Promise<OutboxEntry> {
  const { outbox, uuid, now } = environment;
  const { change, about, prepared } = save;
  // a new record has no earlier changes to merge with
  if (change.op === 'create') return add(environment, save);
  const entries = await unfinishedOf(outbox, change);
  const deletion = change.op === 'delete' ? entries.find((entry) => isSameDelete(entry, change, about)) : undefined;
  if (deletion !== undefined) return deletion;
  const merge = mergeOf(change, entries, about.administrator);
  if (merge === undefined || (await mayBeRemovedSince(outbox, merge.into))) return add(environment, save);
  const { mergedSaves = 0 } = merge.into;
  const { title } = about;
  const saves = { mergedSaves: mergedSaves + 1, savedAt: now() };
  const merged = { ...merge.into, change: merge.change, title, idempotencyKey: uuid(), ...saves };
  await outbox.entries.put(merged);
  await removeFiles(outbox, merge.replaced);
  await storeFiles(outbox, merged.id, prepared);
  return merged;
}

/**
 * True when a delete of the same kind was queued after this entry and the entry's record has no server id yet: the delete may be for this very
 * record. The new change must then stay behind the delete, because settling a delete discards the changes before it.
 */
async function mayBeRemovedSince(outbox: OutboxDatabase, { change, sequence }: OutboxEntry): Promise<boolean> {
  if (change.op !== 'update' || !isLocalId(change.recordId)) return false;
  const waiting = await unfinished(outbox);
  return waiting.some(
    (entry) => entry.sequence > sequence && entry.change.op === 'delete' && entry.change.resource === change.resource,
  );
}

async function add(environment: Environment, { id, change, about, prepared }: Save): Promise<OutboxEntry> {
  const { outbox } = environment;
  const entry = freshEntry(environment, id, change, about);
  const sequence = await outbox.entries.add(entry);
  await storeFiles(outbox, id, prepared);
  return { ...entry, sequence };
}

function isSameDelete(entry: OutboxEntry, change: Change, about: DraftAbout): boolean {
  return (
    entry.change.op === 'delete' &&
    entry.administrator === about.administrator &&
    recordKey(entry.change) === recordKey(change)
  );
}
