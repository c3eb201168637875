import { memo } from 'react';
import type { ListBodyProps } from './list-table.tsx';
import { Cell, RowActions, RowMark, type RowProps, RowSelect } from './row-parts.tsx';
import { cardHeight, imageWidth, leadingColumn } from './row-size.ts';
import { useMedia } from '../../ui/use-media.ts';
import { useVirtualRows } from './use-virtual-rows.ts';

/** From this width on two cards stand side by side. */
const TWO_COLUMNS = '(min-width: 600px)';

/** The list as cards, for narrow screens. */
export function ListCards({ resource, rows, selected }: ListBodyProps) {
  const columns = useMedia(TWO_COLUMNS) ? 2 : 1;
  const lines = Math.ceil(rows.length / columns);
  const { container, places, before, after } = useVirtualRows(lines, cardHeight(resource));
  const first = (places[0] ?? 0) * columns;
  const drawn = rows.slice(first, first + places.length * columns);
  return (
    <div ref={container}>
      <ul
        className="list-cards"
        data-columns={columns}
        aria-label={resource.label.list}
        style={{ paddingTop: before, paddingBottom: after }}
      >
        {drawn.map((row, at) => (
          <li key={row.recordId} aria-setsize={rows.length} aria-posinset={first + at + 1}>
            <Card resource={resource} row={row} number={first + at + 1} selected={selected.has(row.recordId)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const Card = memo(function Card({ resource, row, number, selected }: RowProps) {
  const leading = leadingColumn(resource);
  const texts = resource.columns.filter((column) => column.kind === 'text' && column !== leading);
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
        {leading !== undefined && (
          <div className="card-title">
            <Cell resource={resource} row={row} column={leading} leading />
          </div>
        )}
        {texts.map((column) => (
          <div key={column.field} className="card-line">
            <Cell resource={resource} row={row} column={column} leading={false} />
          </div>
        ))}
      </div>
      <div className="card-foot">
        <span className="card-sl">Sl {number}</span>
        <RowMark row={row} />
        <span className="card-space" />
        <RowActions resource={resource} row={row} />
      </div>
    </div>
  );
});
