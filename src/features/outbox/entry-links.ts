import { type Change, ENTRY_SCHEMA, type OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { screenOf } from '../../domain/resource.ts';
import { resourceOf } from '../../domain/resources/index.ts';
import { conflictPath } from '../../resource/paths.ts';
import { t } from '../../language/t.ts';

/** The screen of the record that an entry is about: under the server's id where that is known. Undefined for what is gone. */
export function recordLink({ change, schema, state, receipt }: OutboxEntry): string | undefined {
  if (schema > ENTRY_SCHEMA || (change.op === 'delete' && state === 'done')) return undefined;
  return recordPath(change, receipt?.serverId);
}

/** The screen of the record a change is about. */
function recordPath({ resource, recordId }: Change, serverId?: number): string {
  return screenOf(resourceOf(resource), serverId ?? recordId);
}

/** Where a change can be settled: the comparison for a conflict, the form for what can be mended; undefined otherwise. */
export function settlePath(entry: OutboxEntry): { readonly label: string; readonly path: string } | undefined {
  if (entry.conflict !== undefined) return { label: t('Compare'), path: conflictPath(entry.id) };
  if (entry.schema > ENTRY_SCHEMA) return undefined;
  const { op } = entry.change;
  const mendable = op === 'create' || op === 'update';
  return mendable && entry.state !== 'sending' ? { label: t('Edit'), path: recordPath(entry.change) } : undefined;
}
