import { seenRecord } from '../../api/reads.ts';
import { baseOfRow } from '../../domain/outbox/base.ts';
import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';
import { type Base, isLocalId } from '../../domain/outbox/vocabulary.ts';
import { type Resource, textOf } from '../../domain/resource.ts';

/** How long a deletion waits for the record that its row shows a part of. Milliseconds. */
const PATIENCE = 2_000;

/**
 * What the user sees of a record in a list. Without a version, what the row does not show is taken from the record as this
 * device knows it, or read now if that takes no more than a moment. What stays unseen is asked about before the record is
 * deleted.
 */
export async function seenOf(resource: Resource, row: PendingRow): Promise<Base> {
  const { recordId } = row;
  if (textOf(row['version']) !== '' || isLocalId(recordId)) return baseOfRow(resource, row, undefined);
  const { record, sent } = await seenRecord(resource, recordId, PATIENCE);
  return baseOfRow(resource, row, record, sent);
}
