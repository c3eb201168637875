import { leadingQuantity } from '../../src/domain/quantities.ts';
import type { Resource } from '../../src/domain/resource.ts';
import { shownValue } from '../../src/domain/shown.ts';
import { Refusal } from '../errors/refusal.ts';
import { type ContentItem, type ContentRecord, isFilterable, publicName } from './content-record.ts';

/** Bounds of a query, so that nobody can make one that is expensive to answer. */
const MAX_VALUES = 20;
const MAX_VALUE_LENGTH = 200;
const MAX_SORT_FIELDS = 4;
/** The most records of one answer, and its default. */
export const MAX_LIMIT = 10_000;

/** A request for a part of a list. */
export interface ContentQuery {
  readonly conditions: readonly Condition[];
  /** Empty for the public order. */
  readonly order: readonly Order[];
  readonly limit: number;
  /** The position that the previous answer ended at. */
  readonly after: Position | undefined;
}

/** `is` compares texts; `atLeast` and `atMost` compare quantities of one unit, or plain numbers. */
interface Condition {
  readonly field: string;
  readonly test: 'is' | 'atLeast' | 'atMost';
  /** Any of them matches. */
  readonly values: readonly string[];
}

interface Order {
  readonly field: string;
  readonly isDescending: boolean;
}

/** The sort values of a record, then its id. A cursor holds them, so it outlives its record. */
type Position = readonly (string | number | null)[];

type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** One part of a list. */
export interface ContentPart {
  readonly items: readonly ContentItem[];
  /** How many records match, on all pages. */
  readonly total: number;
  /** The cursor of the next part; null after the last one. */
  readonly next: string | null;
}

/** Names of a kind's fields by which its list can be filtered and sorted. */
export function queryFields(resource: Resource): string[] {
  return resource.fields.filter(isFilterable).map(publicName);
}

/**
 * A list's order without `sort`: that of the definition, else the oldest first. A paged list grows with time, so its newest
 * records come first.
 */
export function publicOrder({ orderedBy, paged }: Pick<Resource, 'orderedBy' | 'paged'>): readonly Order[] {
  if (orderedBy !== undefined) return [{ field: publicName({ name: orderedBy }), isDescending: false }];
  return paged ? [{ field: 'id', isDescending: true }] : [];
}

/** Sorts records. Equal ones follow their ids. */
export function sortItems(items: readonly ContentItem[], order: readonly Order[]): readonly ContentItem[] {
  const placed = items.map((item) => ({ item, keys: keysOf(positionOf(item.record, order)) }));
  return placed.toSorted((one, other) => compareKeys(one.keys, other.keys, order)).map(({ item }) => item);
}

/** Reads the parameters of a list call. Throws 400 that says which one cannot be used, and why. */
export function readQuery(resource: Resource, parameters: Parameters): ContentQuery {
  const fields = queryFields(resource);
  const query = { conditions: [] as Condition[], order: [] as readonly Order[], limit: MAX_LIMIT };
  let after: Position | undefined;
  for (const [name, given] of Object.entries(parameters)) {
    const values = [given].flat().filter((value) => value !== undefined);
    if (name === 'sort') query.order = readOrder(fields, values);
    else if (name === 'limit') query.limit = readLimit(values);
    else if (name === 'after') after = readPosition(values);
    else query.conditions.push(readCondition(fields, name, values));
  }
  if (query.conditions.flatMap((one) => one.values).length > MAX_VALUES)
    throw refused(`One call compares at most ${MAX_VALUES} values.`);
  if (after !== undefined && after.length !== orderOf(resource, query).length + 1) throw badCursor();
  return { ...query, after };
}

/** Records that are compared once at the price of a call. */
const COMPARED_PER_CALL = 1000;

/** How many calls a query counts as besides its own, since sorting and filtering a long list takes time of everybody. */
export function workOf({ conditions, order }: ContentQuery, records: number): number {
  return Math.floor((records * (conditions.length + order.length)) / COMPARED_PER_CALL);
}

/** Applies a query to a kind's records, which stand in their public order. */
export function applyQuery(resource: Resource, items: readonly ContentItem[], query: ContentQuery): ContentPart {
  const order = orderOf(resource, query);
  const matching = items.filter(({ record }) => query.conditions.every((condition) => matches(record, condition)));
  const sorted = query.order.length === 0 ? matching : sortItems(matching, order);
  const start = query.after === undefined ? 0 : firstAfter(sorted, order, query.after);
  const part = sorted.slice(start, start + query.limit);
  const last = part.at(-1);
  const isLast = last === undefined || start + part.length >= sorted.length;
  return { items: part, total: sorted.length, next: isLast ? null : cursorAt(positionOf(last.record, order)) };
}

function orderOf(resource: Resource, { order }: Pick<ContentQuery, 'order'>): readonly Order[] {
  return order.length === 0 ? publicOrder(resource) : order;
}

/** `capacity>=100kVA` arrives as the parameter `capacity>` with the value `100kVA`. */
const BOUNDS: Readonly<Record<string, 'atLeast' | 'atMost'>> = { '>': 'atLeast', '<': 'atMost' };

function readCondition(fields: readonly string[], name: string, values: readonly string[]): Condition {
  const test = BOUNDS[name.at(-1) ?? ''] ?? 'is';
  const field = test === 'is' ? name : name.slice(0, -1);
  if (!fields.includes(field))
    throw refused(`There is no parameter "${name.slice(0, 50)}". This list knows ${fields.join(', ')}.`);
  if (values.some((value) => value.length > MAX_VALUE_LENGTH))
    throw refused(`A value of "${field}" has more than ${MAX_VALUE_LENGTH} characters.`);
  if (test !== 'is' && values.some((value) => amountIn(value) === undefined))
    throw refused(`"${name}=" needs a number with or without a unit, such as 100kVA.`);
  return { field, test, values };
}

function readOrder(fields: readonly string[], values: readonly string[]): readonly Order[] {
  const known = [...fields, 'updatedAt', 'id'];
  const order = values
    .flatMap((value) => value.split(','))
    .map((name) => ({ field: name.replace(/^-/, ''), isDescending: name.startsWith('-') }));
  if (order.length > MAX_SORT_FIELDS || order.some(({ field }) => !known.includes(field)))
    throw refused(`"sort" takes up to ${MAX_SORT_FIELDS} of ${known.join(', ')}; a minus in front reverses one.`);
  return order;
}

function readLimit(values: readonly string[]): number {
  const [text = ''] = values;
  const limit = Number(text);
  if (values.length !== 1 || !/^\d+$/.test(text) || limit < 1 || limit > MAX_LIMIT)
    throw refused(`"limit" is a whole number from 1 to ${MAX_LIMIT}.`);
  return limit;
}

function readPosition(values: readonly string[]): Position {
  try {
    const position: unknown = JSON.parse(Buffer.from(values[0] ?? '', 'base64url').toString());
    if (Array.isArray(position) && position.every(isComparable)) return position;
  } catch {
    // not a cursor
  }
  throw badCursor();
}

function isComparable(value: unknown): value is string | number | null {
  return value === null || typeof value === 'string' || typeof value === 'number';
}

function cursorAt(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** The index of the first record behind a position. */
function firstAfter(sorted: readonly ContentItem[], order: readonly Order[], position: Position): number {
  const keys = keysOf(position);
  const index = sorted.findIndex(({ record }) => compareKeys(keysOf(positionOf(record, order)), keys, order) > 0);
  return index === -1 ? sorted.length : index;
}

function positionOf(record: ContentRecord, order: readonly Order[]): Position {
  return [...order.map(({ field }) => comparable(record[field])), record.id];
}

/** A value that has been read once for many comparisons. */
interface Key {
  readonly text: string | null;
  readonly amount: Amount | undefined;
}

function keysOf(position: Position): readonly Key[] {
  return position.map((value) => {
    const text = value === null ? null : String(value);
    return { text, amount: text === null ? undefined : amountIn(text) };
  });
}

/** The last key is the id, which decides between equal records, in ascending order. */
function compareKeys(one: readonly Key[], other: readonly Key[], order: readonly Order[]): number {
  for (const [index, key] of one.entries()) {
    const by = compareKey(key, other[index] ?? NOTHING);
    if (by !== 0) return order[index]?.isDescending === true ? -by : by;
  }
  return 0;
}

const NOTHING: Key = { text: null, amount: undefined };
const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** Quantities by unit and amount come first, then other texts, then nothing: an order even where a list mixes them. */
function compareKey(one: Key, other: Key): number {
  if (one.text === null || other.text === null) return Number(one.text === null) - Number(other.text === null);
  if (one.amount === undefined && other.amount === undefined) return collator.compare(one.text, other.text);
  if (one.amount === undefined || other.amount === undefined)
    return Number(one.amount === undefined) - Number(other.amount === undefined);
  return collator.compare(one.amount.unit, other.amount.unit) || one.amount.amount - other.amount.amount;
}

function comparable(value: unknown): string | number | null {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

function matches(record: ContentRecord, { field, test, values }: Condition): boolean {
  const value = comparable(record[field]);
  if (value === null) return false;
  if (test === 'is') return values.some((wanted) => isSame(String(value), shownValue(wanted.trim())));
  const amount = amountIn(String(value));
  return amount !== undefined && values.some((wanted) => isWithin(amount, test, amountIn(wanted)));
}

function isWithin(amount: Amount, test: 'atLeast' | 'atMost', bound: Amount | undefined): boolean {
  if (bound === undefined || amount.unit !== bound.unit) return false;
  return test === 'atLeast' ? amount.amount >= bound.amount : amount.amount <= bound.amount;
}

function isSame(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.toLowerCase();
}

interface Amount {
  readonly amount: number;
  readonly unit: string;
}

/** The quantity that a text begins with. A plain number has no unit. */
function amountIn(text: string): Amount | undefined {
  const quantity = leadingQuantity(text);
  if (quantity !== undefined) return quantity;
  return /^-?\d+(\.\d+)?$/.test(text.trim()) ? { amount: Number(text), unit: '' } : undefined;
}

function refused(message: string): Refusal {
  return new Refusal(400, { message });
}

function badCursor(): Refusal {
  return refused('"after" is no cursor of this list in this order. Begin without it.');
}
