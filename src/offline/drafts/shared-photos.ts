import { SHARE_FIELD } from '../../domain/share.ts';
import { deviceDrafts, type FormDraft } from './drafts.ts';

const SHARED = 'shared';

/** Stores photos shared with the app. Adds to earlier ones that are not used yet. */
export async function keepShared(photos: readonly File[], savedAt: number): Promise<void> {
  const before = await readShared();
  const added = photos.map((photo) => ({
    key: crypto.randomUUID(),
    field: SHARE_FIELD,
    blob: photo,
    name: photo.name,
    type: photo.type,
  }));
  await deviceDrafts().write(SHARED, { values: {}, files: [...(before?.files ?? []), ...added], savedAt });
}

/** Reads the shared photos that are not used yet. */
export function readShared(): Promise<FormDraft | undefined> {
  return deviceDrafts().read(SHARED);
}

/** Removes shared photos, once a form has them or the user discards them. Those shared meanwhile stay. */
export async function forgetShared(keys: readonly string[]): Promise<void> {
  const before = await readShared();
  const files = before?.files.filter(({ key }) => !keys.includes(key)) ?? [];
  await (before === undefined || files.length === 0
    ? deviceDrafts().remove(SHARED)
    : deviceDrafts().write(SHARED, { ...before, files }));
}
