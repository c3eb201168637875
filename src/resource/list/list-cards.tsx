import { memo } from 'react';
import type { ListBodyProps } from './list-table.tsx';
import { Cell, RowActions, RowMark, type RowProps, RowSelect } from './row-parts.tsx';
import { cardHeight, imageWidth } from './row-size.ts';
import { useVirtualRows } from './use-virtual-rows.ts';

/** The list as cards, for narrow screens. */
export function ListCards({ resource, rows, selected }: ListBodyProps) {
  const { container, places, before, after } = useVirtualRows<HTMLDivElement>(rows.length, cardHeight(resource));
  return (
    <div ref={container}>
      <ul className="list-cards" aria-label={resource.label.list} style={{ paddingTop: before, paddingBottom: after }}>
        {places.map((place) => {
          const row = rows[place];
          if (row === undefined) return null;
          const isSelected = selected.has(row.recordId);
          return (
            <li key={row.recordId} aria-setsize={rows.length} aria-posinset={place + 1}>
              <Card resource={resource} row={row} number={place + 1} selected={isSelected} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const Card = memo(function Card({ resource, row, number, selected }: RowProps) {
  const texts = resource.columns.filter((column) => column.kind === 'text');
  const image = resource.columns.find((column) => column.kind === 'image');
  return (
    <div
      className="list-card"
      data-row={row.recordId}
      data-selected={selected}
      data-pending={row.pending}
      data-image={imageWidth(resource)}
      style={{ height: cardHeight(resource) - 12 }}
    >
      {image !== undefined && (
        <div className="card-image">
          <Cell resource={resource} row={row} column={image} leading={false} />
        </div>
      )}
      <div className="card-body">
        <div className="card-select" data-act="select">
          <RowSelect resource={resource} row={row} selected={selected} />
        </div>
        {texts.map((column, at) => (
          <div key={column.field} className={at === 0 ? 'card-title' : 'card-line'}>
            <Cell resource={resource} row={row} column={column} leading={at === 0} />
          </div>
        ))}
        <RowMark row={row} />
      </div>
      <div className="card-foot">
        <span>Sl {number}</span>
        <RowActions resource={resource} row={row} />
      </div>
    </div>
  );
});
