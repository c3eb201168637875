import { CONTRACT_ONLY } from '../../domain/protocol/capabilities.ts';
import { type RequestLimits, splitFiles } from '../../domain/outbox/request-limits.ts';
import { UNSENT } from '../../domain/outbox/delivery.ts';
import { mergeOf } from '../../domain/outbox/merge.ts';
import {
  type Change,
  type Delivery,
  ENTRY_SCHEMA,
  type FileReference,
  filesOf,
  isLocalId,
  localId,
  type OutboxEntry,
  recordKey,
} from '../../domain/outbox/vocabulary.ts';
import type { ChangeDraft, DraftAbout } from './change-draft.ts';
import type { Environment } from '../storage/environment.ts';
import { type PickedFile, type PreparedFile, prepareFiles, removeFiles, storeFiles } from '../storage/files.ts';
import { readMeta } from '../storage/meta.ts';
import { type NewEntry, type OutboxDatabase, unfinishedOf } from '../storage/outbox-database.ts';
import { transact } from '../storage/transactions.ts';
import { askToPersist } from '../storage/persistence.ts';
import { makeRoom, withinQuota } from '../storage/quota.ts';
import { keepMark } from '../storage/storage-loss.ts';

/**
 * Saves a change on this device and answers its entry: the one it was merged into, or the first of its parts. Resolves only
 * when the transaction has completed. Throws StorageFullError or FileUnreadableError; nothing is saved then.
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
      // a first run whose answer was lost with the connection may have been completed
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
 * What an earlier run of the same save has written, by now perhaps sent: an entry of its own, or the one it was `placed` in, which
 * has the key or a file of that run. Undefined when the run was not completed.
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

/** A new record without files needs one table: each further one would make the transaction slower. */
function tablesFor(outbox: OutboxDatabase, draft: ChangeDraft) {
  if (draft.op === 'create' && draft.files.length === 0) return [outbox.entries];
  return [outbox.entries, outbox.files, outbox.identities, outbox.meta];
}

/** The files a draft carries. */
export function pickedFiles(draft: ChangeDraft): readonly PickedFile[] {
  return draft.op === 'create' || draft.op === 'update' ? draft.files : [];
}

/** The change of a draft. A local id that the server has confirmed meanwhile gives way to the server's. */
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

/** What one request may carry, as the server last told. Joins the transaction it is called in. */
export async function requestLimits(outbox: OutboxDatabase): Promise<RequestLimits> {
  return ((await readMeta(outbox, 'capabilities'))?.told ?? CONTRACT_ONLY).limits;
}

/** Divides a change whose files do not fit one request: the first part as it is, then updates that only add files. */
export function partsOf(change: Change, limits: RequestLimits): Change[] {
  if (change.op !== 'create' && change.op !== 'update') return [change];
  const [first = [], ...others] = splitFiles(change.resource, change.files, limits);
  const { resource, recordId, values } = change;
  const base = { values, imageIds: [], ...(change.op === 'update' ? versionOf(change.base.version) : {}) };
  return [
    { ...change, files: first },
    ...others.map((files): Change => ({ op: 'update', resource, recordId, values, files, base })),
  ];
}

/** A fresh entry. Its place is given by the database, unless it is told. */
function entryOf({ now, uuid }: Environment, id: string, change: Change, about: DraftAbout): NewEntry {
  const { administrator, title, undoFor } = about;
  return {
    schema: ENTRY_SCHEMA,
    id,
    administrator,
    change,
    title,
    idempotencyKey: uuid(),
    state: 'pending',
    delivery: UNSENT,
    createdAt: now(),
    attempts: 0,
    ...(undoFor === undefined ? {} : { notBefore: now() + undoFor }),
  };
}

/** A save that is to be written: its entry's id if it gets one, and its files. */
interface Save {
  readonly id: string;
  readonly change: Change;
  readonly about: DraftAbout;
  readonly prepared: readonly PreparedFile[];
}

async function place(environment: Environment, save: Save): Promise<OutboxEntry> {
  const { outbox, uuid } = environment;
  const { change, about, prepared } = save;
  // a new record without files meets nothing of its own, and fits any request: it is written without a look around
  if (change.op === 'create' && prepared.length === 0) return addParts(environment, save, [change]);
  const entries = await unfinishedOf(outbox, change);
  const deletion = change.op === 'delete' ? entries.find((entry) => isSameDelete(entry, change, about)) : undefined;
  if (deletion !== undefined) return deletion;
  const limits = await requestLimits(outbox);
  const merge = mergeOf(change, entries, about.administrator, limits);
  if (merge !== undefined) {
    const merged = { ...merge.into, change: merge.change, title: about.title, idempotencyKey: uuid() };
    await outbox.entries.put(merged);
    await removeFiles(outbox, merge.replaced);
    await storeFiles(outbox, merged.id, prepared);
    return merged;
  }
  return addParts(environment, save, partsOf(change, limits));
}

async function addParts(
  environment: Environment,
  { id, about, prepared }: Save,
  parts: readonly Change[],
): Promise<OutboxEntry> {
  const { outbox, uuid } = environment;
  let first: OutboxEntry | undefined;
  for (const part of parts) {
    const entry = entryOf(environment, first === undefined ? id : uuid(), part, about);
    const added = first === undefined ? entry : { ...entry, parentId: first.id };
    const sequence = await outbox.entries.add(added);
    await storeFiles(outbox, added.id, filesOfChange(part, prepared));
    first ??= { ...added, sequence };
  }
  if (first === undefined) throw new Error('A change has at least one part.');
  return first;
}

/** The prepared files that a change refers to. */
export function filesOfChange(change: Change, prepared: readonly PreparedFile[]): PreparedFile[] {
  const files: readonly FileReference[] = 'files' in change ? change.files : [];
  return prepared.filter(({ reference }) => files.includes(reference));
}

function isSameDelete(entry: OutboxEntry, change: Change, about: DraftAbout): boolean {
  return (
    entry.change.op === 'delete' &&
    entry.administrator === about.administrator &&
    recordKey(entry.change) === recordKey(change)
  );
}

function versionOf(version: string | undefined): { version?: string } {
  return version === undefined ? {} : { version };
}

/**
 * Puts changes of the same record directly behind an entry, before what was made later, as parts of it; `more` is what their entries have
 * beside what fresh ones have. Joins the transaction it is called in.
 */
export async function insertAfter(
  environment: Environment,
  entry: OutboxEntry,
  changes: readonly Change[],
  more: { readonly title?: string; readonly delivery?: Delivery } = {},
): Promise<void> {
  const { outbox, uuid } = environment;
  const { administrator, title } = entry;
  const places = await placesAfter(outbox, entry, changes.length);
  for (const [index, change] of changes.entries()) {
    const added = { ...entryOf(environment, uuid(), change, { administrator, title }), parentId: entry.id, ...more };
    const sequence = places[index];
    await outbox.entries.add({ ...added, ...(sequence === undefined ? {} : { sequence }) });
  }
}

/**
 * Free places directly behind an entry and what was put behind it before: between two whole numbers there is room for many
 * fractions. Joins the transaction it is called in.
 */
async function placesAfter(outbox: OutboxDatabase, entry: OutboxEntry, count: number): Promise<number[]> {
  const next = Math.floor(entry.sequence) + 1;
  const taken = await outbox.entries.where(':id').between(entry.sequence, next).primaryKeys();
  const last = Math.max(entry.sequence, ...taken);
  const step = (next - last) / 2 / (count + 1);
  return Array.from({ length: count }, (_, index) => last + step * (index + 1));
}
