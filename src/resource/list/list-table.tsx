import { memo } from 'react';
import type { Column, Resource } from '../../domain/resource.ts';
import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';
import { nextSort, type Sort } from './list-rules.ts';
import { Cell, RowActions, RowMark, type RowProps, RowSelect } from './row-parts.tsx';
import { imageWidth, leadingColumn, rowHeight } from './row-size.ts';
import { useVirtualRows } from './use-virtual-rows.ts';

export interface ListBodyProps {
  readonly resource: Resource;
  readonly rows: readonly PendingRow[];
  readonly selected: ReadonlySet<string>;
  readonly allSelected: boolean;
  readonly sort: Sort | undefined;
  readonly onSort: (sort: Sort | undefined) => void;
  readonly onSelectAll: () => void;
}

/** The list as a table of which only the rows in sight are drawn; the numbers of the others are told to screen readers. */
export function ListTable({ resource, rows, selected, allSelected, sort, onSort, onSelectAll }: ListBodyProps) {
  return (
    <div className="list-sheet">
      <table
        className="list-table"
        aria-label={resource.label.list}
        aria-rowcount={rows.length + 1}
        data-image={imageWidth(resource)}
      >
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className="col-select">
              <label className="select-all">
                <input type="checkbox" aria-label="Select all" checked={allSelected} onChange={onSelectAll} />
              </label>
            </th>
            <th scope="col" className="col-sl">
              Sl
            </th>
            {resource.columns.map((column) => (
              <Heading key={column.field} column={column} sort={sort} onSort={onSort} />
            ))}
            <th scope="col" className="col-action">
              Action
            </th>
          </tr>
        </thead>
        <RowsInSight resource={resource} rows={rows} selected={selected} />
      </table>
    </div>
  );
}

/** Drawn anew while the page scrolls; the headings are not. */
function RowsInSight({ resource, rows, selected }: Pick<ListBodyProps, 'resource' | 'rows' | 'selected'>) {
  const { container, places, before, after } = useVirtualRows(rows.length, rowHeight(resource));
  return (
    <tbody ref={container}>
      <Spacer height={before} />
      {places.map((place) => {
        const row = rows[place];
        if (row === undefined) return null;
        const isSelected = selected.has(row.recordId);
        return <TableRow key={row.recordId} resource={resource} row={row} number={place + 1} selected={isSelected} />;
      })}
      <Spacer height={after} />
    </tbody>
  );
}

function Heading({ column, sort, onSort }: { column: Column } & Pick<ListBodyProps, 'sort' | 'onSort'>) {
  if (column.kind === 'image') {
    return (
      <th scope="col" className="col-image" style={{ width: column.width + 32 }}>
        {column.label}
      </th>
    );
  }
  const sorted = sort?.field === column.field ? sort.direction : 'none';
  return (
    <th scope="col" aria-sort={sorted}>
      <button type="button" className="sort" data-sorted={sorted} onClick={() => onSort(nextSort(sort, column.field))}>
        {column.label}
      </button>
    </th>
  );
}

const TableRow = memo(function TableRow({ resource, row, number, selected }: RowProps) {
  const leading = leadingColumn(resource);
  return (
    <tr
      aria-rowindex={number + 1}
      data-row={row.recordId}
      data-selected={selected}
      data-pending={row.pending}
      style={{ height: rowHeight(resource) }}
    >
      <td className="col-select">
        <RowSelect resource={resource} row={row} selected={selected} />
      </td>
      <td className="col-sl">{number}</td>
      {resource.columns.map((column) => (
        <td key={column.field} className={column.kind === 'image' ? 'col-image' : 'col-text'}>
          <Cell resource={resource} row={row} column={column} leading={column === leading} />
          {column === leading && <RowMark row={row} />}
        </td>
      ))}
      <td className="col-action">
        <RowActions resource={resource} row={row} />
      </td>
    </tr>
  );
});

function Spacer({ height }: { height: number }) {
  if (height <= 0) return null;
  return <tr aria-hidden="true" style={{ height }} />;
}
