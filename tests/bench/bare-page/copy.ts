import { Dexie, type Table } from 'dexie';

export interface Row {
  readonly id: number;
  readonly brand: string;
  readonly model: string;
}

class CopyDatabase extends Dexie {
  declare lists: Table<readonly Row[], string>;

  constructor() {
    super('copy');
    this.version(1).stores({ lists: '' });
  }
}

const database = new CopyDatabase();

/** The cached rows, or undefined on a first visit. */
export function readCopy(): Promise<readonly Row[] | undefined> {
  return database.lists.get('rows');
}

/** Fetches and caches the rows. Resolves with undefined if the server is unreachable. */
export async function refreshCopy(): Promise<readonly Row[] | undefined> {
  try {
    const rows = (await (await fetch('/rows.json')).json()) as readonly Row[];
    void database.lists.put(rows, 'rows');
    return rows;
  } catch {
    return undefined;
  }
}
