import { sharedLook } from '../../concurrency/concurrency.ts';
import type { Encodable } from '../../protocol/encodable.ts';
import { writtenAnswer } from '../../protocol/send.ts';
import type { Resource } from '../../../src/domain/resource.ts';
import { positionNow } from './epochs.ts';
import { type ChangedRow, listRows, listRowsSince } from './read.ts';
import type { Database } from './tables.ts';

/** Returns the whole list of a kind. */
export interface RenewedLists {
  (resource: Resource): Promise<Encodable>;
  /** Drops what is cached. The database may no longer be what it was: its numbers may have been used again. */
  forget(): void;
}

/**
 * Caches whole lists row by row, as JSON, and reads only changed rows. For a remote database, where every row crosses the
 * network.
 */
export function renewLists(db: Database): RenewedLists {
  const lists = new Map<string, RenewedList>();
  const get = (resource: Resource) => {
    const list = lists.get(resource.name) ?? new RenewedList(db, resource);
    lists.set(resource.name, list);
    return list.get();
  };
  return Object.assign(get, { forget: () => lists.clear() });
}

class RenewedList {
  readonly #db: Database;
  readonly #resource: Resource;
  /** By id, in ascending order. */
  #rows = new Map<number, string>();
  /** The feed number up to which the rows are current. */
  #seq = 0;
  #answer: Encodable | undefined;
  /** The list as of the call or later. */
  readonly get = sharedLook(() => this.#look());

  constructor(db: Database, resource: Resource) {
    this.#db = db;
    this.#resource = resource;
  }

  async #look(): Promise<Encodable> {
    const answer = this.#answer;
    if (answer === undefined) return this.#readAll();
    const changed = await listRowsSince(this.#db, this.#resource, this.#seq);
    if (changed.length === 0) return answer;
    for (const one of changed) this.#renew(one);
    return this.#write();
  }

  /** Reads the number first: what changes in between is read again. */
  async #readAll(): Promise<Encodable> {
    const { seq } = await positionNow(this.#db);
    const rows = (await listRows(this.#db, this.#resource, 1)) as { readonly id: number }[];
    this.#rows = new Map(rows.map((row) => [row.id, JSON.stringify(row)]));
    this.#seq = seq;
    return this.#write();
  }

  #renew({ id, seq, row }: ChangedRow): void {
    this.#seq = Math.max(this.#seq, seq);
    if (row === undefined) this.#rows.delete(id);
    else this.#rows.set(id, JSON.stringify(row));
  }

  #write(): Encodable {
    if (!isAscending([...this.#rows.keys()]))
      this.#rows = new Map([...this.#rows].toSorted(([one], [other]) => one - other));
    this.#answer = writtenAnswer(`[${[...this.#rows.values()].join(',')}]`);
    return this.#answer;
  }
}

function isAscending(ids: readonly number[]): boolean {
  return ids.every((id, i) => i === 0 || id > (ids[i - 1] ?? 0));
}
