import { type ReactNode, Suspense, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { ListReading } from '../../api/reads.ts';
import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';
import { type Resource, routesOf } from '../../domain/resource.ts';
import { useMay } from '../../stores/session.ts';
import { late, usePrefetch } from '../../ui/late.tsx';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import { NARROW, PHONE, useMedia } from '../../ui/use-media.ts';
import { duplicatePath } from '../paths.ts';
import type { EditedCell } from './cell-editing.tsx';
import { ChosenFacets } from './chosen-facets.tsx';
import { rememberOrder } from './list-order.ts';
import type { Sort } from './list-rules.ts';
import { ListRows } from './list-rows.tsx';
import { ListTable } from './list-table.tsx';
import { ListToolbar } from './list-toolbar.tsx';
import type { MenuPlace } from './row-menu.tsx';
import { compactHeight, rowHeight } from './row-size.ts';
import { SelectionBar } from './selection-bar.tsx';
import { useArrival } from './use-arrival.ts';
import { DELETING, useDelete } from './use-delete.ts';
import type { ListView } from './use-list-view.ts';
import { useRowEvents } from './use-row-events.ts';
import { onRowKeys } from './use-row-keys.ts';
import { useSelection } from './use-selection.ts';

// Deferred: the list renders without them.
const NothingFound = late(() => import('./nothing-found.tsx'));

const LabelsDialog = late(() => import('./labels-dialog.tsx'));

const RowMenu = late(() => import('./row-menu.tsx'));

// The list is already shown: it stays if this cannot be fetched, and values are edited in the form alone.
const CellEditing = late(() => import('./cell-editing.tsx').catch(() => ({ default: () => null })));

const Printing = late(() => import('./printing.tsx').catch(() => ({ default: () => null })));

const BulkEditDialog = late(() => import('./bulk-edit-dialog.tsx'));

const LATE = [DELETING, RowMenu, NothingFound, BulkEditDialog, LabelsDialog];

/** When more rows than this change their selection at once, the heading and the bar update first and the rows follow. */
const MANY = 20;

interface ListBodyProps {
  readonly resource: Resource;
  readonly rows: readonly PendingRow[];
  readonly reading: Pick<ListReading, 'refreshing' | 'refresh'>;
  readonly view: ListView;
  /** The actions of the list. */
  readonly menu: ReactNode;
}

/** The rows of a list with all their actions. */
export function ListBody({ resource, rows, reading, view, menu }: ListBodyProps) {
  const navigate = useNavigate();
  usePrefetch(LATE);
  const narrow = useMedia(NARROW);
  const phone = useMedia(PHONE);
  const height = narrow ? compactHeight(resource, phone) : rowHeight(resource);
  const { arrived, show } = useArrival(resource, view.shown, height);
  const mayEdit = useMay('editor');
  const selection = useSelection(view.shown);
  const followed = useDeferredValue(selection.ids);
  const selected = Math.abs(selection.ids.size - followed.size) > MANY ? followed : selection.ids;
  const select = (recordId: string, range?: boolean) => mayEdit && selection.toggle(recordId, range);
  useKeptFocus(useMemo(() => view.shown.map(({ recordId }) => recordId), [view.shown]));
  const remove = useDelete(resource);
  const [dialog, setDialog] = useState<'edit' | 'labels'>();
  useEffect(() => rememberOrder(resource, view.shown), [resource, view.shown]);
  const [body, setBody] = useState<HTMLElement | null>(null);
  const [cell, setCell] = useState<EditedCell>();
  const [menuAt, setMenuAt] = useState<MenuPlace | 'unused' | undefined>('unused');
  const openMenu = (row: PendingRow, anchor: HTMLElement) => setMenuAt({ row, anchor });
  const onClick = useRowEvents(resource, view.shown, {
    onSelect: select,
    onDelete: (row) => void remove([row]),
    onUndo: (row) => void DELETING.load().then(({ undoDeletion }) => undoDeletion(row.entryId)),
    onMenu: openMenu,
    selecting: selection.rows.length > 0,
  });
  const sortFromTop = (sort: Sort | undefined) => {
    view.setSort(sort);
    window.scrollTo(0, 0);
  };
  const { create, edit } = routesOf(resource);
  const [only] = selection.rows;
  const Body = narrow ? ListRows : ListTable;
  return (
    <>
      <ListToolbar
        resource={resource}
        rows={rows}
        view={view}
        refreshing={reading.refreshing}
        onRefresh={reading.refresh}
        onEnter={() => {
          const hit = view.onlyMatch();
          if (hit !== undefined) void navigate(edit(hit.recordId));
        }}
      >
        {menu}
      </ListToolbar>
      <ChosenFacets resource={resource} view={view} />
      {view.shown.length === 0 ? (
        <Suspense fallback={null}>
          <NothingFound query={view.query} onClear={view.clear} />
        </Suspense>
      ) : (
        // The controls inside are keyboard-accessible themselves; this element only delegates their events.
        <div ref={setBody} role="presentation" className="list-body" onClick={onClick} onKeyDown={onRowKeys}>
          <Body
            resource={resource}
            rows={view.shown}
            all={rows}
            selected={selected}
            allSelected={selection.all}
            sort={view.sort}
            onSort={sortFromTop}
            onSelectAll={selection.toggleAll}
            arrived={arrived}
          />
        </div>
      )}
      {selection.rows.length > 0 && (
        <SelectionBar
          count={selection.rows.length}
          onAll={narrow && !selection.all ? selection.toggleAll : undefined}
          onEdit={() => setDialog('edit')}
          onLabels={() => setDialog('labels')}
          onDelete={() => void remove(selection.rows).then((done) => done && selection.clear())}
          onDuplicate={
            only !== undefined && selection.rows.length === 1
              ? () => void navigate(duplicatePath(create, only.recordId))
              : undefined
          }
          onClear={selection.clear}
        />
      )}
      {menuAt !== 'unused' && (
        <Suspense fallback={null}>
          <RowMenu
            resource={resource}
            at={menuAt}
            onClose={() => setMenuAt(undefined)}
            onSelect={select}
            onDelete={(row) => void remove([row])}
            onEdit={setCell}
          />
        </Suspense>
      )}
      {mayEdit && (
        <Suspense fallback={null}>
          <CellEditing
            resource={resource}
            rows={view.shown}
            body={body}
            edited={cell}
            onEdit={setCell}
            onRest={openMenu}
            onSaved={show}
          />
        </Suspense>
      )}
      <Suspense fallback={null}>
        <Printing resource={resource} rows={view.shown} total={rows.length} />
      </Suspense>
      {dialog === 'labels' && (
        <Suspense fallback={null}>
          <LabelsDialog resource={resource} rows={selection.rows} onClose={() => setDialog(undefined)} />
        </Suspense>
      )}
      {dialog === 'edit' && (
        <Suspense fallback={null}>
          <BulkEditDialog
            resource={resource}
            rows={selection.rows}
            onClose={(saved) => {
              setDialog(undefined);
              if (saved) selection.clear();
            }}
          />
        </Suspense>
      )}
    </>
  );
}
