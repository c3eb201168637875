import { randomUUID } from 'node:crypto';
import type { Habits } from './habits.ts';

/** A page of a paged list. */
interface Page {
  readonly page: number;
  readonly lastPage: number;
  readonly total: number;
}

/** An id as this installation shows it. A UUID is made from the number, so that it stays the same. */
export function shownId({ ids }: Habits, id: number): number | string {
  if (ids === 'text') return String(id);
  return ids === 'uuid' ? `00000000-0000-4000-8000-${String(id).padStart(12, '0')}` : id;
}

/** A row, record or image as this installation shows it. */
export function shown(habits: Habits, row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { hides = [], objects = [], withoutUpdatedAt, volatile } = habits;
  const entries = Object.entries(row)
    .filter(([name]) => !hides.includes(name) && !(withoutUpdatedAt === true && name === 'updated_at'))
    .map(([name, value]) => [name, shownValue(habits, objects, name, value)] as const);
  return { ...Object.fromEntries(entries), ...(volatile === true ? { views: randomUUID() } : {}) };
}

function shownValue(habits: Habits, objects: readonly string[], name: string, value: unknown): unknown {
  if (name === 'id' && typeof value === 'number') return shownId(habits, value);
  if (objects.includes(name)) return { value, label: value };
  const isFile = (name === 'image' || name === 'catalog') && typeof value === 'string';
  return isFile ? address(habits, value) : value;
}

function address({ addresses }: Habits, name: string): string {
  if (addresses === undefined) return name;
  const whole = `https://back-end.test/uploads/${name}`;
  return addresses === 'absolute' ? whole : `${whole}?signature=${randomUUID()}`;
}

/** A list or record in the wrapping of this installation. */
export function wrapped({ wraps }: Habits, data: unknown, page?: Page): unknown {
  if (wraps === undefined) return data;
  if (wraps === 'data' || page === undefined) return { data };
  const { page: current_page, lastPage: last_page, total } = page;
  return { data, links: { first: null, last: null }, meta: { current_page, last_page, total } };
}
