import { isValue, type ValueField } from '../../domain/fields.ts';
import { joinedQuantities, leadingQuantity, quantitiesIn, withoutQuantities } from '../../domain/quantities.ts';
import type { RecordId } from '../../domain/outbox/vocabulary.ts';
import { type Resource, textOf } from '../../domain/resource.ts';
import { valueWords } from '../../fields/value-words.ts';
import { comparable } from '../comparable.ts';
import { type Chosen, passes } from './facets.ts';
import { cellWords } from './cell-words.ts';

/** The part of a row that the rules need. The list's rows also carry their pending state. */
export interface Row {
  readonly recordId: RecordId;
  readonly [field: string]: unknown;
}

export interface Sort {
  readonly field: string;
  readonly direction: 'ascending' | 'descending';
}

/** The view of a list: its search, filters and sort order. */
export interface Look {
  readonly query: string;
  readonly chosen: Chosen;
  readonly sort: Sort | undefined;
}

/**
 * A list indexed for search and sort: one comparable text per row and, per sorted field, the positions in ascending order.
 * Both are computed once per list, on first use, so that a keystroke or a click among 10,000 rows only walks them.
 */
export interface ListIndex<R extends Row> {
  readonly rows: readonly R[];
  /** The searched fields. */
  readonly fields: readonly ValueField[];
  texts?: readonly string[];
  readonly orders: Map<string, readonly number[]>;
}

/** Indexes the rows of a list. Search covers the columns and, where rows are whole records, every other text as well. */
export function indexRows<R extends Row>(resource: Resource, rows: readonly R[]): ListIndex<R> {
  return { rows, fields: resource.fields.filter(isValue), orders: new Map() };
}

/** The rows that match every word of the query and all filters, in the chosen order or, without one, the server's. */
export function visibleRows<R extends Row>(index: ListIndex<R>, { query, chosen, sort }: Look): readonly R[] {
  const terms = termsOf(query);
  const narrowed = Object.keys(chosen).length > 0;
  if (terms.length === 0 && sort === undefined && !narrowed) return index.rows;
  const texts = terms.length === 0 ? [] : textsOf(index);
  const found: R[] = [];
  const take = (position: number) => {
    const row = index.rows[position];
    if (row === undefined || (narrowed && !passes(row, chosen))) return;
    const text = texts[position] ?? '';
    if (terms.every((term) => holds(text, term))) found.push(row);
  };
  if (sort === undefined) index.rows.forEach((_, position) => take(position));
  else walk(orderBy(index, sort.field), sort.direction, take);
  return found;
}

/** The searchable text per row. Memoised. */
export function textsOf<R extends Row>(index: ListIndex<R>): readonly string[] {
  index.texts ??= index.rows.map((row) => searchText(row, index.fields));
  return index.texts;
}

/** The positions of the rows in ascending order of a field. Memoised. Numbers in texts sort as numbers. */
export function orderBy<R extends Row>(index: ListIndex<R>, field: string): readonly number[] {
  const kept = index.orders.get(field);
  if (kept !== undefined) return kept;
  const definition = index.fields.find(({ name }) => name === field);
  const keys = index.rows.map((row) => sortKey(cellWords(definition, textOf(row[field]))));
  const order = keys.map((_, position) => position);
  order.sort((a, b) => compare(keys[a] ?? '', keys[b] ?? '') || a - b);
  index.orders.set(field, order);
  return order;
}

/** The next sort order after a click on a heading: ascending, descending, then the server's order. */
export function nextSort(sort: Sort | undefined, field: string): Sort | undefined {
  if (sort?.field !== field) return { field, direction: 'ascending' };
  return sort.direction === 'ascending' ? { field, direction: 'descending' } : undefined;
}

function walk(order: readonly number[], direction: Sort['direction'], take: (position: number) => void): void {
  if (direction === 'ascending') order.forEach(take);
  else for (let at = order.length - 1; at >= 0; at -= 1) take(order[at] ?? 0);
}

/**
 * The words of a query, and its quantities as marks: "5 kW" matches the quantity in any unit, and does not match "25 kW".
 */
function termsOf(query: string): string[] {
  const text = comparable(query);
  const words = joinedQuantities(withoutQuantities(text)).split(/\s+/).filter(Boolean);
  return [...words, ...quantitiesIn(text).map(markOf)];
}

/** A number matches from its first digit only: "5" is found in "5 kW" and "50 kW", not in "250". */
function holds(text: string, term: string): boolean {
  if (!/^\d/.test(term)) return text.includes(term);
  for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, at + 1)) {
    if (!/[\d#]$|\d[.,]$/.test(text.slice(Math.max(0, at - 2), at))) return true;
  }
  return false;
}

/** The searchable text of a row. A choice is found by its display name and its stored value. */
function searchText(row: Row, fields: readonly ValueField[]): string {
  let text = '';
  for (const field of fields) {
    const value = textOf(row[field.name]);
    const words = valueWords(field, value);
    text += words === value ? `${value} ` : `${value} ${words} `;
  }
  const plain = comparable(text);
  if (!/\d/.test(plain)) return plain;
  return joinedQuantities(plain) + quantitiesIn(plain).map(markOf).join('');
}

/** A quantity as search compares it, delimited on both sides so that 5 does not match 50. */
function markOf({ amount, unit }: { readonly amount: number; readonly unit: string }): string {
  return `#${amount}${unit};`;
}

/**
 * The sort key of a text. Numbers are padded so that a plain comparison puts "5 kVA" before "10 kVA" (Intl.Collator takes ten
 * times as long) and 900 W before 1 kW.
 */
function sortKey(text: string): string {
  const quantity = leadingQuantity(text);
  if (quantity !== undefined) return `${padded(quantity.amount.toFixed(6))} ${quantity.unit}`;
  return comparable(text.trim()).replaceAll(/\d+(\.\d+)?/g, padded);
}

function padded(number: string): string {
  const [whole = '', fraction] = number.split('.');
  return fraction === undefined ? whole.padStart(12, '0') : `${whole.padStart(12, '0')}.${fraction}`;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
