import { type CSSProperties, memo, useMemo } from 'react';
import { type Column, type Resource } from '../../domain/resource.ts';
import type { PendingRow } from '../../domain/outbox/optimistic-view.ts';
import { useMay } from '../../stores/session.ts';
import { useMedia, WIDE } from '../../ui/use-media.ts';
import { editedInPlace } from './edited-fields.ts';
import { columnsOf } from './column-widths.ts';
import { type Fact, factsOf, factText, factWords } from './facts.ts';
import { nextSort, type Sort } from './list-rules.ts';
import { Cell, nameOf, RowActions, RowMark, RowPhoto, type RowProps, RowSelect } from './row-parts.tsx';
import { imageWidth, leadingColumn, rowHeight } from './row-size.ts';
import { useVirtualRows } from './use-virtual-rows.ts';
import { say, t } from '../../language/t.ts';

/** Safari drops table semantics from elements laid out as grids, so the roles are explicit. */
const AS = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  heading: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;

export interface ListBodyProps {
  readonly resource: Resource;
  readonly rows: readonly PendingRow[];
  /** All rows of the list, whatever its search shows. */
  readonly all?: readonly PendingRow[];
  readonly selected: ReadonlySet<string>;
  readonly allSelected: boolean;
  readonly sort: Sort | undefined;
  readonly onSort: (sort: Sort | undefined) => void;
  readonly onSelectAll: () => void;
  /** The record that was just saved, highlighted for a moment. */
  readonly arrived?: string | undefined;
}

/** The list as a virtualised table. Screen readers get the total number of rows. */
export function ListTable(props: ListBodyProps) {
  const { resource, rows, all = rows, selected, allSelected, sort, onSort, onSelectAll, arrived } = props;
  const mayEdit = useMay('editor');
  const room = useFactColumns();
  // memoised, so that selecting rows does not render the others again
  const facts = useMemo(() => factsOf(resource, rows, room), [resource, rows, room]);
  const columns = useMemo(() => columnsOf(resource, all, facts), [resource, all, facts]);
  return (
    <div className="list-sheet">
      <table
        {...AS.table}
        className="list-table"
        style={{ '--columns': columns } as CSSProperties}
        aria-label={say(resource.label.list)}
        aria-rowcount={rows.length + 1}
        data-image={imageWidth(resource)}
      >
        <thead {...AS.group}>
          <tr {...AS.row} aria-rowindex={1}>
            <th {...AS.heading} scope="col" className="col-select">
              {mayEdit && (
                <label className="select-all">
                  <input
                    type="checkbox"
                    ref={(box) => void (box && (box.indeterminate = selected.size > 0 && !allSelected))}
                    aria-label={t('Select all')}
                    checked={allSelected}
                    onChange={onSelectAll}
                  />
                </label>
              )}
            </th>
            <th {...AS.heading} scope="col" className="col-sl">
              {t('Sl')}
            </th>
            {resource.columns.map((column) => (
              <Heading key={column.field} column={column} sort={sort} onSort={onSort} />
            ))}
            {facts.map(({ field, label }) => (
              <Heading key={field} column={{ kind: 'text', field, label }} sort={sort} onSort={onSort} />
            ))}
            <th {...AS.heading} scope="col" className="col-action">
              {t('Action')}
            </th>
          </tr>
        </thead>
        <RowsInSight
          resource={resource}
          rows={rows}
          selected={selected}
          facts={facts}
          arrived={arrived}
          mayEdit={mayEdit}
        />
      </table>
    </div>
  );
}

/** How many facts fit beside the columns. */
function useFactColumns(): number {
  const roomy = useMedia('(min-width: 1500px)');
  const wide = useMedia(WIDE);
  if (roomy) return 3;
  return wide ? 2 : 1;
}

interface RowsInSightProps extends Pick<ListBodyProps, 'resource' | 'rows' | 'selected' | 'arrived'> {
  readonly facts: readonly Fact[];
  readonly mayEdit: boolean;
}

/** The visible rows. They render again while the page scrolls; the headings do not. */
function RowsInSight({ resource, rows, selected, facts, arrived, mayEdit }: RowsInSightProps) {
  const { container, places, before, after } = useVirtualRows(rows.length, rowHeight(resource));
  const edited = useMemo(() => new Set(editedInPlace(resource).map(({ name }) => name)), [resource]);
  return (
    <tbody {...AS.group} ref={container} data-rows style={{ paddingTop: before, paddingBottom: after }}>
      {places.map((place) => {
        const row = rows[place];
        if (row === undefined) return null;
        return (
          <TableRow
            key={row.recordId}
            resource={resource}
            row={row}
            number={place + 1}
            selected={selected.has(row.recordId)}
            facts={facts}
            edited={edited}
            arrived={row.recordId === arrived}
            mayEdit={mayEdit}
          />
        );
      })}
    </tbody>
  );
}

interface HeadingProps extends Pick<ListBodyProps, 'sort' | 'onSort'> {
  readonly column: Column;
}

function Heading({ column, sort, onSort }: HeadingProps) {
  if (column.kind === 'image') {
    return (
      <th {...AS.heading} scope="col">
        {say(column.label)}
      </th>
    );
  }
  const sorted = sort?.field === column.field ? sort.direction : 'none';
  return (
    <th {...AS.heading} scope="col" aria-sort={sorted}>
      <button type="button" className="sort" data-sorted={sorted} onClick={() => onSort(nextSort(sort, column.field))}>
        {say(column.label)}
      </button>
    </th>
  );
}

interface TableRowProps extends RowProps {
  /** Names of the fields with a cell editor. */
  readonly edited: ReadonlySet<string>;
}

const TableRow = memo(function TableRow(props: TableRowProps) {
  const { resource, row, number, selected, facts, arrived, edited, mayEdit } = props;
  const leading = leadingColumn(resource);
  const name = nameOf(props);
  return (
    <tr
      {...AS.row}
      aria-rowindex={number + 1}
      data-row={row.recordId}
      data-selected={selected}
      data-pending={row.pending}
      data-arrived={arrived || undefined}
      style={{ height: rowHeight(resource) }}
    >
      <td {...AS.cell} className="col-select">
        {mayEdit && <RowSelect name={name} selected={selected} />}
      </td>
      <td {...AS.cell} className="col-sl">
        {number}
      </td>
      {resource.columns.map((column) => (
        <td
          {...AS.cell}
          key={column.field}
          className={column.kind === 'image' ? 'col-image' : 'col-text'}
          {...cellProps(edited, column.field)}
        >
          {column === leading && 'photo' in row && imageWidth(resource) === 0 && <RowPhoto row={row} />}
          <Cell resource={resource} row={row} column={column} leading={column === leading} />
          {column === leading && <RowMark row={row} />}
        </td>
      ))}
      {facts.map((fact) => (
        <td
          {...AS.cell}
          key={fact.field}
          className="col-text col-fact"
          title={factWords(fact, row)}
          {...cellProps(edited, fact.field)}
        >
          {factText(fact, row)}
        </td>
      ))}
      <td {...AS.cell} className="col-action">
        <RowActions resource={resource} row={row} name={name} mayEdit={mayEdit} />
      </td>
    </tr>
  );
});

/** An editable cell is focusable by arrow keys. */
function cellProps(edited: ReadonlySet<string>, field: string) {
  return edited.has(field) ? { 'data-cell': field, tabIndex: -1 } : {};
}
