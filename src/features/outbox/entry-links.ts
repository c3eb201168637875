import { isReadable } from '../../domain/outbox/scheduler.ts';
import type { Change, OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { screenOf } from '../../domain/resource.ts';
import { resourceOf } from '../../domain/resources/index.ts';
import { conflictPath } from '../../resource/paths.ts';
import { t } from '../../language/t.ts';

/**
 * The path of the entry's record, with the server's id once known. Undefined for a deleted record and for an entry of a newer
 * version.
 */
export function recordLink(entry: OutboxEntry): string | undefined {
  const { change, state, receipt } = entry;
  if (!isReadable(entry) || (change.op === 'delete' && state === 'done')) return undefined;
  return recordPath(change, receipt?.serverId);
}

/** The records of confirmed changes in their order, newest first: each once, with its last change, and none deleted since. */
export function workedOn(receipts: readonly OutboxEntry[]): readonly { entry: OutboxEntry; link: string }[] {
  const latest = new Map<string, OutboxEntry>();
  for (const entry of receipts) {
    if (!isReadable(entry)) continue;
    const path = recordPath(entry.change, entry.receipt?.serverId);
    if (!latest.has(path)) latest.set(path, entry);
  }
  return [...latest].flatMap(([link, entry]) => (recordLink(entry) === undefined ? [] : [{ entry, link }]));
}

/** The path of a change's record. */
function recordPath({ resource, recordId }: Change, serverId?: number): string {
  return screenOf(resourceOf(resource), serverId ?? recordId);
}

/** Where a change is settled: the comparison for a conflict, the form for a create or an edit. Undefined otherwise. */
export function settlePath(entry: OutboxEntry): { readonly label: string; readonly path: string } | undefined {
  if (!isReadable(entry)) return undefined;
  if (entry.conflict !== undefined) return { label: t('Compare'), path: conflictPath(entry.id) };
  const { op } = entry.change;
  const mendable = op === 'create' || op === 'update';
  return mendable && entry.state !== 'sending' ? { label: t('Edit'), path: recordPath(entry.change) } : undefined;
}
