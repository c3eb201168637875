import FilterIcon from '@mui/icons-material/FilterList';
import RefreshIcon from '@mui/icons-material/Refresh';
import SearchIcon from '@mui/icons-material/Search';
import { type KeyboardEvent, type ReactNode, Suspense, useCallback, useRef, useState } from 'react';
import type { Resource } from '../../domain/resource.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { late, usePrefetch } from '../../ui/late.tsx';
import { Popover } from '../../ui/popover.tsx';
import type { Row } from './list-rules.ts';
import type { ListView } from './use-list-view.ts';
import { useSearchKey } from './use-search-key.ts';
import { say, t } from '../../language/t.ts';

const FacetPanel = late(() => import('./facet-panel.tsx'));

const LATE = [FacetPanel];

interface ListToolbarProps {
  readonly resource: Resource;
  readonly rows: readonly Row[];
  readonly view: ListView;
  readonly refreshing: boolean;
  readonly onRefresh: () => void;
  /** Enter in the search opens a single match. */
  readonly onEnter: () => void;
  /** The actions of the list. */
  readonly children: ReactNode;
}

/** The sticky toolbar of a list: search, filters and actions. */
export function ListToolbar(props: ListToolbarProps) {
  const { refreshing, onRefresh } = props;
  return (
    <search className="list-toolbar">
      <SearchField {...props} />
      <Filter {...props} />
      <IconButton
        type="button"
        className="list-refresh"
        aria-label={t('Refresh')}
        aria-disabled={refreshing}
        onClick={refreshing ? undefined : onRefresh}
      >
        <RefreshIcon fontSize="inherit" data-turning={refreshing || undefined} />
      </IconButton>
      {props.children}
    </search>
  );
}

function SearchField({ resource, view, onEnter }: ListToolbarProps) {
  const many = say(resource.label.many);
  const search = useRef<HTMLInputElement>(null);
  useSearchKey(search);
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') view.setQuery('');
    if (event.key === 'Enter') onEnter();
    if (event.key === 'ArrowDown') document.querySelector<HTMLElement>('[data-row] .row-link')?.focus();
  };
  return (
    <div className="list-search">
      <SearchIcon aria-hidden />
      <input
        ref={search}
        type="search"
        className="control"
        aria-label={t('Search {many}', { many })}
        placeholder={t('Search {many}', { many })}
        value={view.query}
        autoComplete="off"
        onChange={(event) => view.setQuery(event.target.value)}
        onKeyDown={press}
      />
    </div>
  );
}

function Filter({ resource, rows, view }: ListToolbarProps) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  usePrefetch(LATE);
  const count = Object.values(view.chosen).flat().length;
  return (
    <div className="list-filter">
      <Button
        ref={anchor}
        color="inherit"
        variant="outlined"
        aria-label={count === 0 ? t('Filter') : t('Filter, {count} selected', { count })}
        aria-expanded={open}
        startIcon={<FilterIcon />}
        onClick={() => setOpen(!open)}
      >
        <span>{t('Filter')}</span>
        {count > 0 && <b>{count}</b>}
      </Button>
      <Popover open={open} onClose={close} anchor={anchor} label={t('Filter and order')}>
        <Suspense fallback={null}>
          <FacetPanel resource={resource} rows={rows} view={view} />
        </Suspense>
      </Popover>
    </div>
  );
}
