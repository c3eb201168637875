import type { ResourceName } from '../resource.ts';

/**
 * Deleted records that the server keeps for some time (the capability `trash`). Nothing else tells of them: lists, the feed and the
 * public content know only that they are gone.
 *
 * - `GET /api/trash?kind=&search=&before=` lists them, the latest deletion first.
 * - `POST /api/trash/{kind}/{id}/restore` puts a record back, with its id, files and history. Takes an `Idempotency-Key`.
 * - `POST /api/trash/{kind}/{id}/delete` deletes one for good. For owners.
 * - `GET /api/trash/files/{name}` serves a file of one, with `?width=` a smaller picture.
 */
export const TRASH_PATH = '/api/trash';

/** A deleted record. */
export interface TrashEntry {
  /** The number of the deletion, by which a list goes on. */
  readonly entry: number;
  readonly resource: ResourceName;
  readonly id: number;
  /** Its name when it was deleted. */
  readonly title: string;
  /** ISO 8601 in UTC. */
  readonly deletedAt: string;
  /** The administrator's name. */
  readonly deletedBy: string;
  /** When it is deleted for good, ISO 8601 in UTC. */
  readonly until: string;
  /** The stored name of its first picture. Absent if it has none. */
  readonly picture?: string;
  /** How many pictures and documents are restored with it. */
  readonly files: number;
}

/** A page of the trash. */
export interface TrashPage {
  readonly entries: readonly TrashEntry[];
  /** How many deleted records match, on all pages. */
  readonly total: number;
}

/** Which part of the trash is listed. */
export interface TrashPart {
  readonly kind?: ResourceName;
  /** A part of a text of the record. */
  readonly search?: string;
  /** The last entry of the page before. */
  readonly before?: number;
}

/** The route of the screen. */
export const TRASH_ROUTE = '/trash';

/** The address of a page of the trash. */
export function trashAddress({ kind, search = '', before }: TrashPart): string {
  const query = [
    ...(kind === undefined ? [] : [`kind=${kind}`]),
    ...(search.trim() === '' ? [] : [`search=${encodeURIComponent(search.trim())}`]),
    ...(before === undefined ? [] : [`before=${before}`]),
  ];
  return query.length === 0 ? TRASH_PATH : `${TRASH_PATH}?${query.join('&')}`;
}

/** The address at which a record is restored, or deleted for good. */
export function trashedAddress(
  { resource, id }: Pick<TrashEntry, 'resource' | 'id'>,
  act: 'restore' | 'delete',
): string {
  return `${TRASH_PATH}/${resource}/${id}/${act}`;
}

/** The address of a file of a deleted record. */
export function trashedFileAddress(name: string, width?: number): string {
  return `${TRASH_PATH}/files/${encodeURIComponent(name)}${width === undefined ? '' : `?width=${width}`}`;
}

/** Reads the answer. Returns an empty page for anything else. */
export function readTrash(body: unknown): TrashPage {
  const { entries, total } = (body ?? {}) as Partial<TrashPage>;
  return Array.isArray(entries) ? { entries, total: total ?? entries.length } : { entries: [], total: 0 };
}
