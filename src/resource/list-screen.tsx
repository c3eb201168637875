import { lazy, Suspense, useMemo, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { type ListReading, useList } from '../api/reads.ts';
import type { PendingRow } from '../domain/outbox/optimistic-view.ts';
import { type Resource, routesOf } from '../domain/resource.ts';
import { FailureNotice } from '../ui/failure-notice.tsx';
import { Freshness } from '../ui/freshness.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { ListSkeleton } from '../ui/skeletons.tsx';
import { useKeptFocus } from '../ui/use-kept-focus.ts';
import { useMedia } from '../ui/use-media.ts';
import { download, listCsv } from './csv/csv-export.ts';
import { wholeRows } from './csv/whole-rows.ts';
import { ListCards } from './list/list-cards.tsx';
import { ListMenu } from './list/list-menu.tsx';
import type { Sort } from './list/list-rules.ts';
import { ListTable } from './list/list-table.tsx';
import { ListToolbar, SelectionBar } from './list/list-toolbar.tsx';
import { NothingFound, NothingThere } from './list/nothing.tsx';
import { undoDelete, useDelete } from './list/use-delete.ts';
import { useListView } from './list/use-list-view.ts';
import { useRowEvents } from './list/use-row-events.ts';
import { useSelection } from './list/use-selection.ts';
import { OVERRIDES } from './overrides.ts';
import { duplicatePath } from './paths.ts';
import '../fields/fields.css';
import './list/list.css';

// Asked for when it is opened: few lists are ever imported.
const ImportDialog = lazy(() => import('./csv/import-dialog.tsx'));

/** Below this a table would have to be scrolled sideways. */
const NARROW = '(max-width: 899.95px)';

const NO_ROWS: readonly PendingRow[] = [];

/** THE list of a kind of record, from the device's copy, with what waits in the outbox laid over it. */
export default function ListScreen({ resource }: { resource: Resource }) {
  const reading = useList(resource);
  const rows = reading.rows ?? NO_ROWS;
  const [importing, setImporting] = useState(false);
  const [ordering, setOrdering] = useState(false);
  const Order = OVERRIDES[resource.name]?.order;
  // what concerns all rows has to wait for them
  const actions =
    reading.rows === undefined || reading.partial
      ? []
      : [
          ...(Order === undefined ? [] : [{ label: 'Change the order', run: () => setOrdering(true) }]),
          { label: 'Export as CSV', run: () => void exportCsv(resource, rows) },
          { label: 'Import CSV', run: () => setImporting(true) },
        ];
  return (
    <>
      <PageHeader
        title={resource.label.many}
        freshness={<Freshness {...reading} onRefresh={reading.refresh} />}
        actions={<ListMenu resource={resource} actions={actions} />}
      />
      {reading.failure !== undefined && (
        <FailureNotice message={reading.failure} onRetry={reading.refresh} retrying={reading.refreshing}>
          {whatStands(reading)}
        </FailureNotice>
      )}
      {reading.rows === undefined && reading.refreshing && <ListSkeleton rows={8} />}
      {reading.rows?.length === 0 && <NothingThere resource={resource} onImport={() => setImporting(true)} />}
      {rows.length > 0 && <Rows resource={resource} rows={rows} partial={reading.partial} />}
      <Suspense fallback={null}>
        {importing && <ImportDialog resource={resource} rows={rows} onClose={() => setImporting(false)} />}
        {ordering && Order !== undefined && (
          <Order resource={resource} rows={rows} onClose={() => setOrdering(false)} />
        )}
      </Suspense>
    </>
  );
}

/** What is on screen when the server could not be asked. */
function whatStands({ rows, partial }: Pick<ListReading, 'rows' | 'partial'>): string {
  if (rows === undefined) return 'This list is not on this device yet.';
  return partial ? 'Only the first rows have come.' : 'Showing the saved copy.';
}

interface RowsProps {
  readonly resource: Resource;
  readonly rows: readonly PendingRow[];
  readonly partial: boolean;
}

function Rows({ resource, rows, partial }: RowsProps) {
  const narrow = useMedia(NARROW);
  const navigate = useNavigate();
  const view = useListView(resource, rows);
  const selection = useSelection(view.shown);
  useKeptFocus(useMemo(() => view.shown.map(({ recordId }) => recordId), [view.shown]));
  const remove = useDelete(resource);
  const onClick = useRowEvents(resource, view.shown, {
    onSelect: selection.toggle,
    onDelete: (row) => void remove([row]),
    onUndo: (row) => void undoDelete(row),
  });
  const sortFromTop = (sort: Sort | undefined) => {
    view.setSort(sort);
    window.scrollTo(0, 0);
  };
  const [only] = selection.rows;
  const create = routesOf(resource).create;
  const Body = narrow ? ListCards : ListTable;
  return (
    <>
      <ListToolbar
        resource={resource}
        query={view.query}
        onQuery={view.setQuery}
        shown={view.shown.length}
        total={rows.length}
        partial={partial}
        narrow={narrow}
        sort={view.sort}
        onSort={view.setSort}
      />
      {selection.rows.length > 0 && (
        <SelectionBar
          count={selection.rows.length}
          onDelete={() => void remove(selection.rows).then((done) => done && selection.clear())}
          onDuplicate={
            only !== undefined && selection.rows.length === 1
              ? () => void navigate(duplicatePath(create, only.recordId))
              : undefined
          }
          onClear={selection.clear}
        />
      )}
      {view.shown.length === 0 ? (
        <NothingFound query={view.query} onClear={() => view.setQuery('')} />
      ) : (
        // The controls inside are reached by keyboard on their own; this only listens for all of them.
        <div role="presentation" onClick={onClick}>
          <Body
            resource={resource}
            rows={view.shown}
            selected={selection.ids}
            allSelected={selection.all}
            sort={view.sort}
            onSort={sortFromTop}
            onSelectAll={selection.toggleAll}
          />
        </div>
      )}
    </>
  );
}

async function exportCsv(resource: Resource, rows: readonly PendingRow[]): Promise<void> {
  const text = listCsv(resource, await wholeRows(resource, rows));
  const content = new Blob([text], { type: 'text/csv;charset=utf-8' });
  download(content, `${resource.name}.csv`);
}
