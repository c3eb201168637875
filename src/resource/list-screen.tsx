import { lazy, Suspense, useState } from 'react';
import { type ListReading, useList } from '../api/reads.ts';
import type { PendingRow } from '../domain/outbox/optimistic-view.ts';
import type { Resource } from '../domain/resource.ts';
import { FailureNotice } from '../ui/failure-notice.tsx';

import { Freshness } from '../ui/freshness.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { ListSkeleton } from '../ui/skeletons.tsx';
import { NARROW, PHONE, useMedia } from '../ui/use-media.ts';
import type { ListDialog } from './list/list-actions.tsx';
import { ListBody } from './list/list-body.tsx';
import { ListMenu } from './list/list-menu.tsx';
import { compactHeight, rowHeight } from './list/row-size.ts';
import { type ListView, useListView } from './list/use-list-view.ts';
import { OVERRIDES } from './overrides.ts';
import '../fields/fields.css';
import './list/list.css';
import './list/rows.css';
import { say, t } from '../language/t.ts';

// Loaded on demand: few lists are ever imported.
const NothingThere = lazy(() => import('./list/nothing-there.tsx'));
const ImportDialog = lazy(() => import('./csv/import-dialog.tsx'));

const KeepDialog = lazy(() => import('./catalogues/keep-dialog.tsx'));

const NO_ROWS: readonly PendingRow[] = [];

/** THE list of a kind of record: the cached copy with pending changes applied. */
export default function ListScreen({ resource }: { resource: Resource }) {
  const reading = useList(resource);
  const rows = reading.rows ?? NO_ROWS;
  const view = useListView(resource, rows);
  const [open, setOpen] = useState<ListDialog>();
  const close = () => setOpen(undefined);
  const Order = OVERRIDES[resource.name]?.order;
  const phone = useMedia(PHONE);
  const height = useMedia(NARROW) ? compactHeight(resource, phone) : rowHeight(resource);
  const actions = isHere(reading) ? { resource, rows, refresh: reading.refresh, open: setOpen } : undefined;
  const menu = <ListMenu resource={resource} actions={actions} />;
  return (
    <>
      <PageHeader title={say(resource.label.many)} note={<Note reading={reading} view={view} total={rows.length} />} />
      {rows.length > 0 ? (
        <ListBody resource={resource} rows={rows} reading={reading} view={view} menu={menu} />
      ) : (
        <div className="list-toolbar list-toolbar-empty">{menu}</div>
      )}
      {/* With rows, the heading says it: a notice would move what the user is about to press. */}
      {reading.failure !== undefined && rows.length === 0 && (
        <FailureNotice message={reading.failure} onRetry={reading.refresh} retrying={reading.refreshing}>
          {staleNotice(reading)}
        </FailureNotice>
      )}
      {reading.rows === undefined && reading.refreshing && <ListSkeleton rows={8} height={height} />}
      <Suspense fallback={null}>
        {reading.rows?.length === 0 && <NothingThere resource={resource} onImport={() => setOpen('import')} />}
        {open === 'import' && <ImportDialog resource={resource} rows={rows} onClose={close} />}
        {open === 'offline' && <KeepDialog resource={resource} onClose={close} />}
        {open === 'order' && Order !== undefined && <Order resource={resource} rows={rows} onClose={close} />}
      </Suspense>
    </>
  );
}

/** True if this device has the list. Without it, the rows are those that were created here. */
function isHere({ rows, fetchedAt, partial, failure, refreshing }: ListReading): boolean {
  return rows !== undefined && !partial && (fetchedAt !== undefined || (failure === undefined && !refreshing));
}

/** The number of rows and the age of the copy. */
function Note({ reading, view, total }: { reading: ListReading; view: ListView; total: number }) {
  return (
    <>
      {(isHere(reading) || reading.partial) && (
        <span className="list-count" aria-live="polite">
          {countText(reading.partial, view, total)}
        </span>
      )}
      {!reading.partial && <Freshness {...reading} />}
      {reading.failure !== undefined && total > 0 && (
        <output className="list-failure" title={`${reading.failure} ${staleNotice(reading)}`}>
          {reading.failure} {staleNotice(reading)}
        </output>
      )}
    </>
  );
}

function countText(partial: boolean, { shown, query, chosen }: ListView, total: number): string {
  if (partial) return t('Loading more rows…');
  const narrowed = query !== '' || Object.keys(chosen).length > 0;
  return narrowed
    ? t('{number} of {count}', { number: shown.length, count: total })
    : t('{count, plural, one {# record} other {# records}}', { count: total });
}

/** What the screen shows although the server could not be reached. */
function staleNotice({ fetchedAt, partial }: Pick<ListReading, 'fetchedAt' | 'partial'>): string {
  if (partial) return t('Only the first rows have loaded.');
  // the rows may be new records of this device alone
  return fetchedAt === undefined ? t('This list is not on this device yet.') : t('Showing the saved copy.');
}
