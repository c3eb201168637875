import SearchIcon from '@mui/icons-material/Search';
import { useRef } from 'react';
import type { Resource } from '../../domain/resource.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount, formatNumber } from '../../ui/format.ts';
import type { Sort } from './list-rules.ts';
import { useSearchKey } from './use-search-key.ts';

interface ListToolbarProps {
  readonly resource: Resource;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly shown: number;
  readonly total: number;
  /** More rows are on their way: the total is not known yet. */
  readonly partial: boolean;
  /** Narrow screens have no column headings to sort by. */
  readonly narrow: boolean;
  readonly sort: Sort | undefined;
  readonly onSort: (sort: Sort | undefined) => void;
}

/** Search over all columns, how many rows it leaves, and the order where no headings tell it. */
export function ListToolbar(props: ListToolbarProps) {
  const many = props.resource.label.many;
  const search = useRef<HTMLInputElement>(null);
  useSearchKey(search);
  return (
    <search className="list-toolbar">
      <div className="list-search">
        <SearchIcon aria-hidden />
        <input
          ref={search}
          type="search"
          className="control"
          aria-label={`Search ${many}`}
          placeholder={`Search ${many}`}
          value={props.query}
          autoComplete="off"
          onChange={(event) => props.onQuery(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && props.onQuery('')}
        />
      </div>
      {props.narrow && <SortSelect {...props} />}
      <span className="list-count" aria-live="polite">
        {countText(props)}
      </span>
    </search>
  );
}

function countText({ query, shown, total, partial }: ListToolbarProps): string {
  if (partial) return 'More rows are coming…';
  return query === '' ? formatCount(total, 'record') : `${formatNumber(shown)} of ${formatNumber(total)}`;
}

function SortSelect({ resource, sort, onSort }: ListToolbarProps) {
  const columns = resource.columns.filter((column) => column.kind === 'text');
  const value = sort === undefined ? '' : `${sort.field} ${sort.direction}`;
  const change = (text: string) => {
    const [field, direction] = text.split(' ');
    if (field === undefined || field === '') onSort(undefined);
    else onSort({ field, direction: direction === 'descending' ? 'descending' : 'ascending' });
  };
  return (
    <select
      className="control list-sort"
      aria-label="Order"
      value={value}
      onChange={(event) => change(event.target.value)}
    >
      <option value="">Default order</option>
      {columns.flatMap(({ field, label }) => [
        <option key={`${field} up`} value={`${field} ascending`}>
          {label} A–Z
        </option>,
        <option key={`${field} down`} value={`${field} descending`}>
          {label} Z–A
        </option>,
      ])}
    </select>
  );
}

interface SelectionBarProps {
  readonly count: number;
  readonly onDelete: () => void;
  readonly onDuplicate: (() => void) | undefined;
  readonly onClear: () => void;
}

/** What can be done with the selected rows. */
export function SelectionBar({ count, onDelete, onDuplicate, onClear }: SelectionBarProps) {
  return (
    <output className="selection-bar">
      <strong>{formatNumber(count)} selected</strong>
      <Button color="error" onClick={onDelete}>
        Delete selected
      </Button>
      {onDuplicate !== undefined && (
        <Button color="inherit" onClick={onDuplicate}>
          Duplicate
        </Button>
      )}
      <Button color="inherit" onClick={onClear}>
        Clear
      </Button>
    </output>
  );
}
