import { SHARE_FIELD } from '../../domain/share.ts';
import { browserEnvironment } from '../storage/browser-environment.ts';
import type { DraftsDatabase } from '../storage/drafts-database.ts';
import { withinQuota } from '../storage/quota.ts';
import { transact } from '../storage/transactions.ts';
import { rememberedSession } from '../storage/session.ts';
import { closed, deviceDatabase, deviceDrafts, type FormDraft } from './drafts.ts';

/** The key of photos that were shared while nobody was signed in. They are for whoever signs in next. */
const NOBODYS = 'shared';

/** The key of the signed-in user's shared photos. Nobody else sees them. */
async function ownKey(): Promise<string> {
  const session = await rememberedSession();
  return session === undefined ? NOBODYS : `${session.administrator}/${NOBODYS}`;
}

/** Stores photos shared with the app. Adds to earlier ones that are not used yet. Throws StorageFullError. */
export async function keepShared(photos: readonly File[], savedAt: number): Promise<void> {
  const environment = browserEnvironment();
  const shared = await ownKey();
  const added = await Promise.all(
    photos.map((blob) => {
      const { name, type } = blob;
      return closed({ key: environment.uuid(), field: SHARE_FIELD, blob, name, type }, shared, environment.keepsBlobs);
    }),
  );
  const bytes = photos.reduce((sum, { size }) => sum + size, 0);
  await withinQuota(environment, bytes, () =>
    editing(async ({ drafts, files }) => {
      const before = await drafts.get(shared);
      await files.bulkPut(added);
      // a set: the first run may have been committed even though the connection was lost
      const fileKeys = new Set([...(before?.fileKeys ?? []), ...added.map(({ key }) => key)]);
      await drafts.put({ key: shared, values: {}, fileKeys: [...fileKeys], savedAt });
    }),
  );
}

/** Reads the user's shared photos that are not used yet. Those of nobody become theirs. */
export async function readShared(): Promise<FormDraft | undefined> {
  const shared = await ownKey();
  if (shared !== NOBODYS) await claim(shared);
  return deviceDrafts().read(shared);
}

function claim(shared: string): Promise<void> {
  return editing(async ({ drafts, files }) => {
    const nobodys = await drafts.get(NOBODYS);
    if (nobodys === undefined) return;
    const own = await drafts.get(shared);
    await files.where('draftKey').equals(NOBODYS).modify({ draftKey: shared });
    await drafts.put({ ...nobodys, key: shared, fileKeys: [...(own?.fileKeys ?? []), ...nobodys.fileKeys] });
    await drafts.delete(NOBODYS);
  });
}

/** Removes shared photos, once a form has them or the user discards them. Those shared meanwhile stay. */
export async function forgetShared(keys: readonly string[]): Promise<void> {
  const shared = await ownKey();
  await editing(async ({ drafts, files }) => {
    const before = await drafts.get(shared);
    const stored = await files.where('draftKey').equals(shared).primaryKeys();
    await files.bulkDelete(stored.filter((key) => keys.includes(key)));
    const fileKeys = before?.fileKeys.filter((key) => !keys.includes(key)) ?? [];
    await (before === undefined || fileKeys.length === 0 ? drafts.delete(shared) : drafts.put({ ...before, fileKeys }));
  });
}

/** Reads and writes in one transaction: the worker and a page may do so at the same time. */
function editing(work: (database: DraftsDatabase) => Promise<void>): Promise<void> {
  const database = deviceDatabase();
  return transact(database, 'rw', [database.drafts, database.files], () => work(database));
}
