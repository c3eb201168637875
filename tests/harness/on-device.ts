/** An unfinished form as the device keeps it. */
export interface KeptForm {
  readonly values: Readonly<Record<string, string>>;
  /** How many files were picked. */
  readonly files: number;
}

/** What a database of the device keeps of an unfinished form. */
export interface DraftRow {
  readonly values: Readonly<Record<string, string>>;
  readonly fileKeys: readonly string[];
}

/** What it keeps of a value of the server: under `list/partners`, `record/partners/2`. */
export interface CopyRow {
  readonly key: string;
}

/** What it keeps of a change. */
export interface EntryRow {
  readonly state: string;
}

export const ENTRIES = { database: 'voltdesk-outbox', table: 'entries' } as const;
export const META = { database: 'voltdesk-outbox', table: 'meta' } as const;
export const DRAFTS = { database: 'voltdesk-drafts', table: 'drafts' } as const;
export const COPIES = { database: 'voltdesk-cache', table: 'values' } as const;

/** Runs in a page: the rows of a table that are on the device, and would be there after it died. */
export async function rowsOnDevice<T>({ database, table }: { database: string; table: string }): Promise<T[]> {
  const done = <R>(request: IDBRequest<R>) =>
    new Promise<R>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error));
    });
  // Opening one that is not there would make it.
  if (!(await indexedDB.databases()).some(({ name }) => name === database)) return [];
  const opened = await done(indexedDB.open(database));
  try {
    return await done(opened.transaction(table).objectStore(table).getAll());
  } finally {
    opened.close();
  }
}
