import { ownConfirmed, seenRecord } from '../../api/reads.ts';
import { baseOfRow } from '../../domain/outbox/base.ts';
import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';
import { type Base, isLocalId } from '../../domain/outbox/vocabulary.ts';
import { type Resource, textOf } from '../../domain/resource.ts';

/** How long a deletion waits for the record that its row shows a part of. Milliseconds. */
const PATIENCE = 2_000;

/**
 * What the user sees of records in a list. Without a version, what a row does not show is taken from the record as this device
 * knows it, or read now if that takes no more than a moment. What stays unseen is asked about before the record is deleted.
 */
export async function seenOf(resource: Resource, rows: readonly PendingRow[]): Promise<Base[]> {
  const confirmed = rows.every(showsAll) ? [] : await ownConfirmed();
  return Promise.all(
    rows.map(async (row) => {
      if (showsAll(row)) return baseOfRow(resource, row, undefined);
      const { record, sent } = await seenRecord(resource, row.recordId, { confirmed, patience: PATIENCE });
      return baseOfRow(resource, row, record, sent);
    }),
  );
}

/** True for a row whose version covers what it does not show, and for a record that only this device has. */
function showsAll(row: PendingRow): boolean {
  return textOf(row['version']) !== '' || isLocalId(row.recordId);
}
