import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';
import type { Base } from '../../domain/outbox/vocabulary.ts';
import type { Resource } from '../../domain/resource.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { useAdministrator } from '../use-administrator.ts';

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
    const { deleteRecords, questionFor } = await DELETING.load();
    return (await confirm(questionFor(resource, rows))) && deleteRecords(resource, rows, administrator, shown);
  };
}
