import { SHARE_FIELD } from '../../domain/share.ts';
import { browserEnvironment } from '../storage/browser-environment.ts';
import type { DraftsDatabase } from '../storage/drafts-database.ts';
import { withinQuota } from '../storage/quota.ts';
import { transact } from '../storage/transactions.ts';
import { closed, deviceDatabase, deviceDrafts, type FormDraft } from './drafts.ts';

const SHARED = 'shared';

/** Stores photos shared with the app. Adds to earlier ones that are not used yet. Throws StorageFullError. */
export async function keepShared(photos: readonly File[], savedAt: number): Promise<void> {
  const environment = browserEnvironment();
  const added = await Promise.all(
    photos.map((blob) => {
      const { name, type } = blob;
      return closed({ key: environment.uuid(), field: SHARE_FIELD, blob, name, type }, SHARED, environment.keepsBlobs);
    }),
  );
  const bytes = photos.reduce((sum, { size }) => sum + size, 0);
  await withinQuota(environment, bytes, () =>
    editing(async ({ drafts, files }) => {
      const before = await drafts.get(SHARED);
      await files.bulkPut(added);
      // a set: the first run may have been committed even though the connection was lost
      const fileKeys = new Set([...(before?.fileKeys ?? []), ...added.map(({ key }) => key)]);
      await drafts.put({ key: SHARED, values: {}, fileKeys: [...fileKeys], savedAt });
    }),
  );
}

/** Reads the shared photos that are not used yet. */
export function readShared(): Promise<FormDraft | undefined> {
  return deviceDrafts().read(SHARED);
}

/** Removes shared photos, once a form has them or the user discards them. Those shared meanwhile stay. */
export async function forgetShared(keys: readonly string[]): Promise<void> {
  await editing(async ({ drafts, files }) => {
    const before = await drafts.get(SHARED);
    const stored = await files.where('draftKey').equals(SHARED).primaryKeys();
    await files.bulkDelete(stored.filter((key) => keys.includes(key)));
    const fileKeys = before?.fileKeys.filter((key) => !keys.includes(key)) ?? [];
    await (before === undefined || fileKeys.length === 0 ? drafts.delete(SHARED) : drafts.put({ ...before, fileKeys }));
  });
}

/** Reads and writes in one transaction: the worker and a page may do so at the same time. */
function editing(work: (database: DraftsDatabase) => Promise<void>): Promise<void> {
  const database = deviceDatabase();
  return transact(database, 'rw', [database.drafts, database.files], () => work(database));
}
