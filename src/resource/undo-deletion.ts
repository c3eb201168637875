import { outbox } from '../api/outbox.ts';
import { t } from '../language/t.ts';
import { notify } from '../stores/notifications.ts';
import { told } from './told.ts';

/** Undoes a deletion while it waits, and shows `tooLate` once it may have been sent. Without an entry, it has been. */
export async function undoDeletion(
  entryId: string | undefined,
  tooLate = t('Too late to undo the deletion. See the Outbox.'),
): Promise<void> {
  const undone = entryId !== undefined && (await told(outbox.undo(entryId)));
  if (undone === false) notify(tooLate, { kind: 'info' });
}
