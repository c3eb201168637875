import { recordCopy } from '../../api/sources.ts';
import { baseOfRow } from '../../domain/outbox/base.ts';
import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';
import { type Base, isLocalId } from '../../domain/outbox/vocabulary.ts';
import { type Resource, textOf } from '../../domain/resource.ts';

/** How long a deletion waits for the record that its row shows a part of. Milliseconds. */
const PATIENCE = 2_000;

/**
 * What the user sees of a record in a list. Without a version, what the row does not show is taken from the device's copy, or
 * read now if that takes no more than a moment. What stays unseen is asked about before the record is deleted.
 */
export async function seenOf(resource: Resource, row: PendingRow): Promise<Base> {
  if (textOf(row['version']) !== '' || isLocalId(row.recordId)) return baseOfRow(resource, row, undefined);
  const copy = recordCopy(resource, Number(row.recordId));
  await copy.load();
  if (copy.state().value === undefined) await Promise.race([copy.refresh(), passed(PATIENCE)]);
  return baseOfRow(resource, row, copy.state().value);
}

function passed(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
