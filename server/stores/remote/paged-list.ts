import type { ListRow, Resource } from '../../../src/domain/resource.ts';
import { allRows } from '../../../src/domain/protocol/all-rows.ts';

/** One page of a list, and the number of the last page if the back end says it. */
export interface Page {
  readonly rows: readonly ListRow[];
  readonly lastPage?: number;
}

/** Reads page `page` of a list. */
export type ReadPage = (page: number) => Promise<Page>;

/**
 * How a back end pages a list. `whole`: it ignores `page`. `newest-first`: new rows are on the first page. `oldest-first`: they
 * are on the last one. `unordered`: they may be on any.
 */
type Order = 'whole' | 'newest-first' | 'oldest-first' | 'unordered';

interface Known {
  readonly order: Order;
  /** The last page with rows, when it was last read. */
  readonly last: number;
}

/** Keeps what was found beyond this process. */
export interface KeptPages {
  readonly learned: <T>(name: string) => Promise<T | undefined>;
  readonly keepLearned: (name: string, learned: object) => Promise<void>;
}

const KEPT_AS = 'pages';

/** No list has more pages. Doubling reaches it in 20 requests. */
const MOST_PAGES = 1 << 20;

/**
 * Finds the newest rows of paged lists without reading every page: the first page, and the last one, which is remembered.
 * Ids are given out in ascending order, so a row is new if its id is higher than every one before.
 */
export class PagedLists {
  #known: Readonly<Record<string, Known>> | undefined;
  readonly #kept: KeptPages | undefined;

  constructor(kept?: KeptPages) {
    this.#kept = kept;
  }

  /** Notes where the end of a list is, after it was read whole. `pages`: its pages in order, the last one without new rows. */
  async noteWhole(resource: Resource, pages: readonly (readonly ListRow[])[]): Promise<void> {
    const full = pages.slice(0, -1);
    if (full.length > 1 && isAscending(full.flat()))
      await this.#note(resource, { order: 'oldest-first', last: full.length });
  }

  /** The rows among which new ones appear. At worst the whole list. Throws what `read` throws. */
  async newest(resource: Resource, read: ReadPage): Promise<readonly ListRow[]> {
    const known = (await this.#all())[resource.name];
    if (known?.order === 'oldest-first') return this.#fromEnd(resource, read, known.last);
    const first = await read(1);
    if (known?.order === 'newest-first' && isDescending(first.rows)) return first.rows;
    return this.#explored(resource, read, first);
  }

  /** Reads the first page and finds out how the list is paged. */
  async #explored(resource: Resource, read: ReadPage, first: Page): Promise<readonly ListRow[]> {
    const second = first.rows.length === 0 ? first : await read(2);
    const isWhole = second.rows.length === 0 || second.rows.every(({ id }) => first.rows.some((row) => row.id === id));
    if (isWhole) return this.#noted(resource, { order: 'whole', last: 1 }, first.rows);
    if (isDescending([...first.rows, ...second.rows])) {
      return this.#noted(resource, { order: 'newest-first', last: 1 }, first.rows);
    }
    if (isAscending([...first.rows, ...second.rows])) {
      return this.#fromEnd(resource, read, await lastPage(read, first.lastPage));
    }
    await this.#note(resource, { order: 'unordered', last: 1 });
    return whole(resource, read);
  }

  /** Reads from a page that was the last one to the end. */
  async #fromEnd(resource: Resource, read: ReadPage, from: number): Promise<readonly ListRow[]> {
    const rows: ListRow[] = [];
    let last = from;
    for (let page = from; page <= MOST_PAGES; page += 1) {
      const { rows: more } = await read(page);
      if (more.length === 0) break;
      rows.push(...more);
      last = page;
    }
    // rows were deleted: the list ends earlier now
    if (rows.length === 0) return from > 1 ? this.#fromEnd(resource, read, Math.max(1, from - 1)) : rows;
    if (!isAscending(rows)) {
      await this.#note(resource, { order: 'unordered', last: 1 });
      return whole(resource, read);
    }
    return this.#noted(resource, { order: 'oldest-first', last }, rows);
  }

  async #noted(resource: Resource, known: Known, rows: readonly ListRow[]): Promise<readonly ListRow[]> {
    await this.#note(resource, known);
    return rows;
  }

  async #note({ name }: Resource, known: Known): Promise<void> {
    const all = await this.#all();
    if (all[name]?.order === known.order && all[name]?.last === known.last) return;
    this.#known = { ...all, [name]: known };
    await this.#kept?.keepLearned(KEPT_AS, this.#known);
  }

  async #all(): Promise<Readonly<Record<string, Known>>> {
    this.#known ??= (await this.#kept?.learned<Record<string, Known>>(KEPT_AS)) ?? {};
    return this.#known;
  }
}

/** Finds the last page with rows by doubling and halving, or from what the back end says. */
async function lastPage(read: ReadPage, told: number | undefined): Promise<number> {
  if (told !== undefined) return Math.max(1, told);
  const hasRows = async (page: number) => (await read(page)).rows.length > 0;
  let full = 2;
  let empty = 4;
  while (empty < MOST_PAGES && (await hasRows(empty))) [full, empty] = [empty, empty * 2];
  while (empty - full > 1) {
    const middle = Math.floor((full + empty) / 2);
    if (await hasRows(middle)) full = middle;
    else empty = middle;
  }
  return full;
}

function whole(resource: Resource, read: ReadPage): Promise<readonly ListRow[]> {
  return allRows(resource, async (path) => (await read(pageIn(path))).rows);
}

function pageIn(path: string): number {
  return Number(new URLSearchParams(path.split('?')[1]).get('page') ?? 1);
}

function isAscending(rows: readonly ListRow[]): boolean {
  return rows.every(({ id }, place) => place === 0 || id > (rows[place - 1]?.id ?? 0));
}

function isDescending(rows: readonly ListRow[]): boolean {
  return rows.length > 1 && rows.every(({ id }, place) => place === 0 || id < (rows[place - 1]?.id ?? 0));
}
