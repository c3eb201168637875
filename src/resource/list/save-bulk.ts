import type { Resource } from '../../domain/resource.ts';
import { notify } from '../../stores/notifications.ts';
import { formatCount } from '../../ui/format.ts';
import { enqueueAll } from '../told.ts';
import { type BulkChange, bulkDrafts } from './bulk-edit.ts';
import { t } from '../../language/t.ts';

/**
 * Enqueues the edits, one change each, and offers one Undo for all. Undo enqueues the reverse edits, which merge into those not
 * yet sent. Returns false if not all edits could be stored; the user has been told.
 */
export async function saveBulk(
  resource: Resource,
  field: string,
  changes: readonly BulkChange[],
  administrator: string,
): Promise<boolean> {
  const entries = await enqueueAll(bulkDrafts(resource, field, changes, { administrator }));
  const stored = changes.slice(0, entries.length);
  if (stored.length === 0) return false;
  const undo = () => void enqueueAll(bulkDrafts(resource, field, stored, { administrator, undoing: true }));
  const { one, many } = resource.label.noun;
  notify(t('{what} edited', { what: formatCount(stored.length, one, many) }), {
    kind: 'info',
    action: { label: t('Undo'), run: undo },
  });
  return stored.length === changes.length;
}
