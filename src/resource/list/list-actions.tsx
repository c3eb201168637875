import { useNavigate } from 'react-router-dom';
import { TRASH_ROUTE } from '../../domain/protocol/trash.ts';
import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';
import type { Resource } from '../../domain/resource.ts';
import { t } from '../../language/t.ts';
import { useServerAbilities } from '../../stores/server-abilities.ts';
import { useMay } from '../../stores/session.ts';
import { PHONE, useMedia } from '../../ui/use-media.ts';
import { OVERRIDES } from '../overrides.ts';
import { told } from '../told.ts';
import ActionMenu, { type ActionMenuProps, type ListAction } from './action-menu.tsx';

/** A dialog of a list. */
export type ListDialog = 'import' | 'order' | 'offline';

/** What the menu of a list acts on. */
export interface ListActionsProps {
  readonly resource: Resource;
  /** All rows of the list. */
  readonly rows: readonly PendingRow[];
  readonly refresh: () => void;
  readonly open: (dialog: ListDialog) => void;
}

/** The menu of a list: what is done with all of its rows, and the way to what was deleted from it. */
export default function ListActions({
  resource,
  rows,
  refresh,
  open,
  ...menu
}: ListActionsProps & Omit<ActionMenuProps, 'actions'>) {
  const phone = useMedia(PHONE);
  const mayEdit = useMay('editor');
  const navigate = useNavigate();
  const keepsDeleted = useServerAbilities(({ trash }) => trash !== undefined);
  const keepsCatalogues = useServerAbilities(({ fullLists }) => fullLists === true) && hasCatalogues(resource);
  const hasOrder = OVERRIDES[resource.name]?.order !== undefined;
  const toTrash = () => void navigate(`${TRASH_ROUTE}?kind=${resource.name}`);
  const actions: readonly ListAction[] = [
    ...(phone ? [{ label: t('Refresh'), run: refresh }] : []),
    ...(hasOrder && mayEdit ? [{ label: t('Change the order'), run: () => open('order') }] : []),
    ...(keepsCatalogues ? [{ label: t('Keep catalogues offline'), run: () => open('offline') }] : []),
    { label: t('Export as CSV'), run: () => void told(exportCsv(resource, rows), t('Nothing was exported.')) },
    ...(mayEdit ? [{ label: t('Import CSV'), run: () => open('import') }] : []),
    ...(keepsDeleted ? [{ label: t('Trash'), run: toTrash }] : []),
  ];
  return <ActionMenu {...menu} actions={actions} />;
}

/** Catalogues can be kept offline only if a worker serves them. */
function hasCatalogues({ fields }: Resource): boolean {
  return fields.some(({ kind }) => kind === 'file') && Boolean(navigator.serviceWorker?.controller);
}

/** Loads the exporter on demand: few lists are ever exported. */
async function exportCsv(resource: Resource, rows: readonly PendingRow[]): Promise<void> {
  const { exportList } = await import('../csv/export-list.ts');
  await exportList(resource, rows);
}
