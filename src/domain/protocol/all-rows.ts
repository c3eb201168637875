import type { ListRow, Resource } from '../resource.ts';

/**
 * All rows of a list. Pages are read until one brings no new row: a server that ignores `page` answers the same for ever. Throws what
 * `read` throws, which is given the path of a page.
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
