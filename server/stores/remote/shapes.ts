import { Refusal } from '../../errors/refusal.ts';
import type { AnyResource, ListRow, ServerRecord, StoredImage } from '../../../src/domain/resource.ts';

/** The shapes in which back ends show records, read into the contract's. */

/** Removes Laravel's wrapping of a record, a list or a page: `{data: …}`. */
function unwrapped(body: unknown): unknown {
  const { data, id } = body as { readonly data?: unknown; readonly id?: unknown };
  return typeof data === 'object' && data !== null && id === undefined ? data : body;
}

/** The number of the last page, if a paginator says it. */
export function lastPageIn(body: object): number | undefined {
  const { meta, last_page } = body as {
    readonly meta?: { readonly last_page?: unknown };
    readonly last_page?: unknown;
  };
  const last = meta?.last_page ?? last_page;
  return typeof last === 'number' ? last : undefined;
}

/** Reads a single record. Throws 503 for ids that the protocol cannot carry. */
export function recordIn(resource: AnyResource, body: object): ServerRecord {
  return rowOf(resource, unwrapped(body) as Readonly<Record<string, unknown>>) as ServerRecord;
}

/** Reads a list, without rows that only a trash shows. Undefined if it is none. Throws 503 for ids that the protocol cannot carry. */
export function rowsIn(resource: AnyResource, body: object): readonly ListRow[] | undefined {
  const list = unwrapped(body);
  if (!Array.isArray(list)) return undefined;
  const rows = list as readonly Readonly<Record<string, unknown>>[];
  return rows
    .filter(({ deleted_at }) => (deleted_at ?? null) === null)
    .map((row) => listed(resource, rowOf(resource, row)));
}

/** A row without columns of the back end's own: some change with every answer, such as a count of views. */
function listed({ fields }: AnyResource, row: Readonly<Record<string, unknown>>): ListRow {
  const names = new Set(['id', ...fields.map(({ name }) => name)]);
  return Object.fromEntries(Object.entries(row).filter(([name]) => names.has(name))) as unknown as ListRow;
}

function rowOf({ fields }: AnyResource, row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain: Record<string, unknown> = { ...row };
  if (row['id'] !== undefined) plain['id'] = numberOf(row['id']);
  for (const { name, kind } of fields) {
    const value = row[name];
    if (kind === 'images') continue;
    if (kind === 'image' || kind === 'file') plain[name] = typeof value === 'string' ? fileName(value) : value;
    else if (value !== undefined) plain[name] = scalarOf(value);
  }
  const { images } = row;
  if (Array.isArray(images)) plain['images'] = images.map(imageOf);
  return plain;
}

/**
 * What to change about a list that the gateway reads, but passes on to the app as it is. Undefined for one in the contract's
 * shape.
 */
export function listToChange(body: object): string | undefined {
  if (!Array.isArray(body))
    return 'Lists are wrapped in an object. Call JsonResource::withoutWrapping() and no paginate().';
  const rows = body as readonly Readonly<Record<string, unknown>>[];
  if (rows.some(({ id }) => typeof id === 'string'))
    return 'Lists show ids as texts. Show whole numbers: remove the cast of id, and give tables with UUIDs numeric ids.';
  if (rows.some(({ deleted_at }) => (deleted_at ?? null) !== null))
    return 'Lists show deleted rows (deleted_at). Leave out withTrashed().';
  if (rows.some(({ image }) => typeof image === 'string' && image.includes('/')))
    return 'Lists show pictures as addresses. Show the name under /uploads alone: remove the accessor of image.';
  return undefined;
}

function imageOf(image: Readonly<Record<string, unknown>>): StoredImage {
  const { id, image: name } = image;
  return { ...image, id: numberOf(id), image: typeof name === 'string' ? fileName(name) : '' };
}

function numberOf(id: unknown): number {
  const number = typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  const message =
    'The back end’s records have ids that are no whole numbers (UUIDs, for example). Give its tables numeric ids.';
  throw new Refusal(503, { message, code: 'back-end-unsupported' });
}

/** An enumeration is often shown as an object with its value. */
function scalarOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('value' in value)) return value;
  return typeof value.value === 'object' ? value : value.value;
}

/** The stored name in a file's address. A signature differs in every answer and names nothing. */
function fileName(address: string): string {
  if (!/^https?:\/\/|^\//.test(address)) return address;
  const path = URL.parse(address, 'http://back-end')?.pathname ?? address;
  return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
}

/** The fields whose texts a record does not show plainly: hidden, or as objects. Saving it without them erases them. */
export function hiddenFields({ fields }: AnyResource, record: ServerRecord): string[] {
  return fields
    .filter(({ kind }) => kind !== 'image' && kind !== 'file' && kind !== 'images')
    .filter(({ name }) => record[name] === undefined || (typeof record[name] === 'object' && record[name] !== null))
    .map(({ name }) => name);
}
