import { type Column, fieldOf, type Resource, textOf } from '../../domain/resource.ts';
import { say } from '../../language/t.ts';
import { cellWords } from './cell-words.ts';
import type { Fact } from './facts.ts';
import type { Row } from './list-rules.ts';
import { imageWidth, leadingColumn } from './row-size.ts';

/** So many rows tell how wide a column is. */
const SAMPLE = 300;
/** The narrowest and the widest share of a column, and what its padding, the arrow of its heading and a photo take. Characters. */
const [LEAST, MOST, PADDING, ARROW, PHOTO] = [5, 30, 4, 3, 7];

/**
 * The widths of all columns, as a grid template: shares that follow what the list holds, so that a short brand leaves its room to
 * a long model. `rows` are those of the list without its search, because columns that move while one types are hard to read. Each
 * row is a grid with layout containment: in a real table layout, every new row would cause the others to be laid out again.
 */
export function columnsOf(resource: Resource, rows: readonly Row[], facts: readonly Fact[]): string {
  const sample = rows.slice(0, SAMPLE);
  const leading = leadingColumn(resource);
  const share = (field: string, label: string, more = 0) => {
    const definition = fieldOf(resource, field);
    const longest = sample.reduce(
      (most, row) => Math.max(most, cellWords(definition, textOf(row[field])).length),
      LEAST,
    );
    return `minmax(0, ${Math.max(Math.min(longest, MOST) + more, label.length + ARROW) + PADDING}fr)`;
  };
  const widths = resource.columns.map((column: Column) =>
    column.kind === 'image'
      ? `${column.width + 32}px`
      : share(column.field, say(column.label), column === leading && imageWidth(resource) === 0 ? PHOTO : 0),
  );
  const told = facts.map(({ field, label }) => share(field, label));
  return ['52px', '60px', ...widths, ...told, 'var(--col-action)'].join(' ');
}
