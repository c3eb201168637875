import { DELETE_QUESTION } from '../../domain/messages.ts';
import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';
import type { Base } from '../../domain/outbox/vocabulary.ts';
import type { Resource } from '../../domain/resource.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { useAdministrator } from '../use-administrator.ts';
import { sayOf, t } from '../../language/t.ts';
import { countOf } from './count-of.ts';

/** The code that deletes, which a list does not need to show: fetched ahead with `usePrefetch`. */
export const DELETING = { load: () => import('./delete-records.tsx') };

/**
 * Deletes records after one confirmation, and offers Undo until they are sent. Resolves to true if all deletions were stored.
 * `shown` is what the user sees of a single record. Of a list, it is what its rows show.
 */
export function useDelete(resource: Resource): (rows: readonly PendingRow[], shown?: Base) => Promise<boolean> {
  const confirm = useConfirm();
  const administrator = useAdministrator();
  return async (rows, shown) => {
    const { consequenceOf, deleteRecords, subjectOf } = await DELETING.load();
    const about = {
      title: question(resource, rows.length),
      subject: subjectOf(resource, rows),
      ...consequenceOf(rows),
    };
    if (!(await confirm({ ...about, confirmLabel: t('Delete'), destructive: true }))) return false;
    return deleteRecords(resource, rows, administrator, shown);
  };
}

function question(resource: Resource, count: number): string {
  if (count === 1) return sayOf(DELETE_QUESTION, resource.label.deleteAs);
  return t('Are you sure? You want to delete these {what}?', { what: countOf(resource, count) });
}
