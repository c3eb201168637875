/** An unfinished form as the device keeps it. */
export interface KeptForm {
  readonly values: Readonly<Record<string, string>>;
  /** How many files were picked. */
  readonly files: number;
}

/** Runs in a page: the unfinished forms that are on the device, and would be there after it died. */
export async function readKeptForms(): Promise<KeptForm[]> {
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error));
    });
  const database = await done(indexedDB.open('voltdesk-drafts'));
  const rows = await done(database.transaction('drafts').objectStore('drafts').getAll());
  database.close();
  return rows.map(({ values, fileKeys }) => ({ values, files: fileKeys.length }));
}
