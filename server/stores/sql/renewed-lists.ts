import type { Encodable } from '../../protocol/encodable.ts';
import { writtenAnswer } from '../../protocol/send.ts';
import type { Resource } from '../../../src/domain/resource.ts';
import { lastSeq } from './feed.ts';
import { type ChangedRow, listRows, listRowsSince } from './read.ts';
import type { Database } from './tables.ts';

/** Gives the whole list of a kind. */
export type RenewedLists = (resource: Resource) => Promise<Encodable>;

/**
 * Keeps whole lists row by row, as JSON, and reads of each only what has changed since. For a database that is a server of its own, where
 * every row has a way to go.
 */
export function renewLists(db: Database): RenewedLists {
  const lists = new Map<string, RenewedList>();
  return (resource) => {
    const list = lists.get(resource.name) ?? new RenewedList(db, resource);
    lists.set(resource.name, list);
    return list.get();
  };
}

class RenewedList {
  readonly #db: Database;
  readonly #resource: Resource;
  /** By id, in the order of the ids. */
  #rows = new Map<number, string>();
  /** The number of the feed up to which the rows are known. */
  #seq = 0;
  #answer: Encodable | undefined;
  #current: Promise<unknown> = Promise.resolve();
  #next: Promise<Encodable> | undefined;

  constructor(db: Database, resource: Resource) {
    this.#db = db;
    this.#resource = resource;
  }

  /** Who asks during a look shares the one after it: this one may have begun before a change that they know of. */
  get(): Promise<Encodable> {
    this.#next ??= this.#current.then(() => {
      this.#next = undefined;
      const look = this.#look();
      this.#current = look.catch(() => undefined);
      return look;
    });
    return this.#next;
  }

  async #look(): Promise<Encodable> {
    const answer = this.#answer;
    if (answer === undefined) return this.#readAll();
    const changed = await listRowsSince(this.#db, this.#resource, this.#seq);
    if (changed.length === 0) return answer;
    for (const one of changed) this.#renew(one);
    return this.#write();
  }

  /** The number is read first: what changes in between is read once more. */
  async #readAll(): Promise<Encodable> {
    const seq = await lastSeq(this.#db);
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
