import { SHARE_FIELD } from '../../domain/share.ts';
import { deviceDrafts, type FormDraft } from './drafts.ts';

const SHARED = 'shared';

/** Keeps photos that were shared with the app, beside those that were shared before and not used yet. */
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

/** The photos that were shared and not used yet. */
export function readShared(): Promise<FormDraft | undefined> {
  return deviceDrafts().read(SHARED);
}

/** Forgets them: they are in a form now, or given up. */
export function forgetShared(): Promise<void> {
  return deviceDrafts().remove(SHARED);
}
