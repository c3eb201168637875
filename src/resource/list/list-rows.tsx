import { memo, useMemo } from 'react';
import { useMay } from '../../stores/session.ts';
import { PHONE, useMedia } from '../../ui/use-media.ts';
import { factsLine, factsOf, tellsPhotos } from './facts.ts';
import type { ListBodyProps } from './list-table.tsx';
import { Cell, cellText, nameOf, RowActions, RowMark, RowPhoto, type RowProps, RowSelect } from './row-parts.tsx';
import { compactHeight, imageWidth, leadingColumn } from './row-size.ts';
import { useVirtualRows } from './use-virtual-rows.ts';
import { say, t } from '../../language/t.ts';

/** The list for narrow screens: each row in two lines, without columns. */
export function ListRows({ resource, rows, selected, arrived }: ListBodyProps) {
  const height = compactHeight(resource, useMedia(PHONE));
  const { container, places, before, after } = useVirtualRows(rows.length, height);
  const mayEdit = useMay('editor');
  // Memoised while the page scrolls, so rendered rows stay as they are.
  const facts = useMemo(() => factsOf(resource, rows, 4), [resource, rows]);
  const photos = useMemo(() => tellsPhotos(rows), [rows]);
  return (
    <div ref={container} data-rows>
      <ul
        className="list-rows"
        aria-label={say(resource.label.list)}
        data-image={imageWidth(resource)}
        data-photos={photos}
        style={{ paddingTop: before, paddingBottom: after }}
      >
        {places.map((place) => {
          const row = rows[place];
          if (row === undefined) return null;
          return (
            <li key={row.recordId} aria-setsize={rows.length} aria-posinset={place + 1} style={{ height }}>
              <CompactRow
                resource={resource}
                row={row}
                number={place + 1}
                selected={selected.has(row.recordId)}
                facts={facts}
                arrived={row.recordId === arrived}
                mayEdit={mayEdit}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const CompactRow = memo(function CompactRow(props: RowProps) {
  const { resource, row, number, selected, facts, arrived, mayEdit } = props;
  const leading = leadingColumn(resource);
  const name = nameOf(props);
  const others = resource.columns.filter((column) => column.kind === 'text' && column !== leading);
  const image = resource.columns.find((column) => column.kind === 'image');
  // next to a picture, the name has the line to itself
  const [beside, below] = image === undefined ? [others, []] : [[], others];
  const told = [...below.map(({ field }) => cellText(resource, field, row)), factsLine(facts, row)]
    .filter((text) => text !== '')
    .join(' · ');
  return (
    <div
      className="list-row"
      data-row={row.recordId}
      data-selected={selected}
      data-pending={row.pending}
      data-arrived={arrived || undefined}
    >
      {/* tapping the picture selects the row, as in a mail app */}
      <div className="row-lead" data-act="select">
        {image === undefined ? (
          <RowPhoto row={row} />
        ) : (
          <Cell resource={resource} row={row} column={image} leading={false} />
        )}
        {mayEdit && <RowSelect name={name} selected={selected} />}
      </div>
      <div className="row-body">
        <div className="row-title">
          {leading !== undefined && <Cell resource={resource} row={row} column={leading} leading />}
          {beside.map(({ field }) => {
            const text = cellText(resource, field, row);
            return (
              <span key={field} className="row-other" title={text}>
                {text}
              </span>
            );
          })}
        </div>
        <div className="row-facts">
          <RowMark row={row} />
          <span className="row-number">
            {t('Sl')} {number}
          </span>
          <span className="row-fact" title={told}>
            {told}
          </span>
        </div>
      </div>
      <div className="row-end">
        <RowActions resource={resource} row={row} name={name} mayEdit={mayEdit} narrow />
      </div>
    </div>
  );
});
