import type { Resource } from '../../domain/resource.ts';
import { useKeeping, useWishes } from '../../stores/catalogues.ts';
import { notify } from '../../stores/notifications.ts';
import type { Row } from '../list/list-rules.ts';
import { told } from '../told.ts';
import { canKeep, keepRecord, letRecordGo } from './keep.ts';
import { catalogueOf, isSame } from './wanted.ts';
import { t } from '../../language/t.ts';
import { sayTitle } from '../say-title.ts';

/** The menu item for a row's catalogue. Undefined if the server has none for the row, or if the whole kind is kept. */
export function catalogueAction(resource: Resource, row: Row): { label: string; run: () => void } | undefined {
  const id = Number(row['id']);
  const { kinds, records } = useWishes.getState();
  if (!Number.isInteger(id) || row['has_catalog'] !== 1 || !canKeep() || kinds.includes(resource.name))
    return undefined;
  const one = { resource: resource.name, id };
  if (records.some((other) => isSame(one, other)))
    return { label: t('Remove catalogue from this device'), run: () => void told(letRecordGo(one)) };
  return { label: t('Keep catalogue offline'), run: () => void told(keep(resource, row, id)) };
}

async function keep(resource: Resource, row: Row, id: number): Promise<void> {
  const catalogue = await catalogueOf(resource, id);
  if (catalogue !== undefined) await keepRecord(catalogue);
  const title = sayTitle(resource, row);
  if (useKeeping.getState().kept.has(catalogue?.address ?? ''))
    notify(t('The catalogue of {title} is on this device.', { title }), { kind: 'done' });
  else notify(t('The catalogue of {title} couldn’t be downloaded yet.', { title }), { kind: 'error' });
}
