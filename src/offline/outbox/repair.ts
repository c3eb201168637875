import { apply } from '../../domain/outbox/lifecycle.ts';
import { statusOf } from '../../domain/outbox/status.ts';
import { type Change, filesOf, type OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import type { Environment } from '../storage/environment.ts';
import { prepareFiles, removeFiles, storeFiles } from '../storage/files.ts';
import { makeRoom, withinQuota } from '../storage/quota.ts';
import type { ChangeDraft, DraftAbout } from './change-draft.ts';
import { changeOf, pickedFiles } from './enqueue.ts';
import { findEntry, inOneTransaction } from './entry-commands.ts';

/**
 * Saves a refused change again with the administrator's repairs. It keeps its place in the queue, its record's id and its key, because a delayed
 * first request or an exported copy may still arrive. Throws StorageFullError or FileUnreadableError, or an Error if the change is no longer
 * refused.
 */
export async function repair(
  environment: Environment,
  entryId: string,
  draft: ChangeDraft,
  { title }: DraftAbout,
): Promise<OutboxEntry> {
  const { outbox } = environment;
  const prepared = await prepareFiles(environment, pickedFiles(draft));
  const bytes = prepared.reduce((sum, { reference }) => sum + reference.size, 0);
  await makeRoom(environment, bytes);
  let before: OutboxEntry | undefined;
  const replace = async () => {
    const entry = await findEntry(environment, entryId);
    if (entry === undefined || statusOf(entry) !== 'refused') {
      // an earlier run may have been committed before the connection was lost, and sent since
      if (entry !== undefined && isSameChange(entry, before)) return entry;
      throw new Error('This change is no longer refused.');
    }
    const change = keepingRecord(await changeOf(environment, draft, prepared), entry.change);
    before = { ...apply(entry, { event: 'repair', change, title }), savedAt: environment.now() };
    await outbox.entries.put(before);
    await removeFiles(outbox, filesOf(entry));
    await storeFiles(outbox, entry.id, prepared);
    return before;
  };
  return withinQuota(environment, bytes, () => inOneTransaction(environment, replace));
}

function isSameChange(entry: OutboxEntry, other: OutboxEntry | undefined): boolean {
  return JSON.stringify(entry.change) === JSON.stringify(other?.change);
}

/** Keeps the record of the change that the form was opened on. */
function keepingRecord(change: Change, { op, resource, recordId }: Change): Change {
  if (op !== 'create' || change.op !== 'update') return { ...change, recordId };
  return { op, resource, recordId, values: change.values, files: change.files };
}
