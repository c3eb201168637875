/** An unsaved draft as stored on the device. */
export interface KeptForm {
  readonly values: Readonly<Record<string, string>>;
  /** The number of picked files. */
  readonly files: number;
}

/** A stored row of an unsaved draft. */
export interface DraftRow {
  readonly values: Readonly<Record<string, string>>;
  readonly fileKeys: readonly string[];
}

/** A stored row of a server value, under `list/partners` or `record/partners/2`. */
export interface CopyRow {
  readonly key: string;
}

/** A stored row of a change. */
export interface EntryRow {
  readonly state: string;
}

export const ENTRIES = { database: 'voltdesk-outbox', table: 'entries' } as const;
export const META = { database: 'voltdesk-outbox', table: 'meta' } as const;
export const DRAFTS = { database: 'voltdesk-drafts', table: 'drafts' } as const;
export const COPIES = { database: 'voltdesk-cache', table: 'values' } as const;

/** Runs in a page. Returns the rows of a table that are durable on the device. */
export async function rowsOnDevice<T>({ database, table }: { database: string; table: string }): Promise<T[]> {
  const done = <R>(request: IDBRequest<R>) =>
    new Promise<R>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error));
    });
  // Opening a missing database would create it.
  if (!(await indexedDB.databases()).some(({ name }) => name === database)) return [];
  const opened = await done(indexedDB.open(database));
  try {
    return await done(opened.transaction(table).objectStore(table).getAll());
  } finally {
    opened.close();
  }
}
