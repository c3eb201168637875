import type { ListRow, Resource } from '../resource.ts';

/**
 * Reads all rows of a list. Stops at the first page without new rows, because a server that ignores `page` repeats the
 * same rows forever. Calls `read` with the path of each page. Throws what `read` throws.
 */
export async function allRows(
  { endpoints, paged }: Pick<Resource, 'endpoints' | 'paged'>,
  read: (path: string) => Promise<readonly ListRow[]>,
): Promise<readonly ListRow[]> {
  const rows = new Map<number, ListRow>();
  for (let page = 1; ; page += 1) {
    const before = rows.size;
    for (const row of await read(paged ? `${endpoints.list}?page=${page}` : endpoints.list)) rows.set(row.id, row);
    if (!paged || rows.size === before) return [...rows.values()];
  }
}
