import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';
import { statusOf } from '../../domain/outbox/status.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { markOf } from '../list/marks.ts';

/** How far the pending changes of a record have come, as in its list. `unsent` applies while all of them wait to be sent. */
export function deliveryWords(
  entries: readonly OutboxEntry[],
  pending: NonNullable<PendingRow['pending']>,
  unsent: string,
): string {
  const status = entries.map(statusOf).find((one) => one !== 'waiting');
  return (status && markOf({ pending, status })?.words) ?? unsent;
}
