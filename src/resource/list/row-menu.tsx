import { useNavigate } from 'react-router-dom';
import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';
import { isLocalId } from '../../domain/outbox/vocabulary.ts';
import { type Resource, routesOf } from '../../domain/resource.ts';
import { type SiteSettings, sitePageOf } from '../../domain/site-pages.ts';
import { useSettings } from '../../stores/settings.ts';
import { catalogueAction } from '../catalogues/keep-one.ts';
import { duplicatePath } from '../paths.ts';
import { viewOnSite } from '../view-on-site.tsx';
import ActionMenu, { type ListAction } from './action-menu.tsx';
import type { EditedCell } from './cell-editing.tsx';
import { editedInPlace } from './edited-fields.ts';
import { say, t } from '../../language/t.ts';

/** A row, and the element its menu opens at. */
export interface MenuPlace {
  readonly row: PendingRow;
  readonly anchor: HTMLElement;
}

interface RowMenuProps {
  readonly resource: Resource;
  /** Undefined while the menu is closed. */
  readonly at: MenuPlace | undefined;
  readonly onClose: () => void;
  readonly onSelect: (recordId: string) => void;
  readonly onDelete: (row: PendingRow) => void;
  readonly onEdit: (edited: EditedCell) => void;
}

/** The actions of a row on a narrow screen. Edits of its main values come first. */
export default function RowMenu({ resource, at, onClose, onSelect, onDelete, onEdit }: RowMenuProps) {
  const navigate = useNavigate();
  const site = useSettings();
  const { create } = routesOf(resource);
  const actions: readonly ListAction[] =
    at === undefined
      ? []
      : [
          ...editedInPlace(resource).map(({ name, label }) => ({
            label: t('Edit {label}', { label: say(label.toLowerCase()) }),
            run: () => onEdit({ ...at, field: name }),
          })),
          { label: t('Select'), run: () => onSelect(at.row.recordId) },
          { label: t('Duplicate'), run: () => void navigate(duplicatePath(create, at.row.recordId)) },
          ...[catalogueAction(resource, at.row), siteAction(site, resource, at.row)].filter(
            (action) => action !== undefined,
          ),
          { label: t('Delete'), run: () => onDelete(at.row) },
        ];
  return <ActionMenu actions={actions} anchor={at?.anchor ?? null} onClose={onClose} />;
}

/** Opens a record's page on the public site. Undefined if the site cannot have it. */
function siteAction(site: SiteSettings, resource: Resource, { recordId }: PendingRow): ListAction | undefined {
  const page = isLocalId(recordId) ? undefined : sitePageOf(site, resource, Number(recordId));
  if (page === undefined) return undefined;
  return { label: t('View on the site'), name: viewOnSite(), run: () => void window.open(page, '_blank', 'noopener') };
}
