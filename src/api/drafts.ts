import type { FormDraft } from '../offline/drafts/drafts.ts';
import { device } from './device.ts';

export type { DraftFile, FormDraft } from '../offline/drafts/drafts.ts';

/** The page's interface to the drafts of this device. Every call rejects if device storage is unavailable. */
export const drafts = {
  /** Reads the draft under a key. */
  read: async (key: string): Promise<FormDraft | undefined> => (await device()).deviceDrafts().read(key),

  /** Stores a draft. Files already stored are not written again. */
  write: async (key: string, draft: FormDraft): Promise<void> => (await device()).deviceDrafts().write(key, draft),

  /** Removes a draft and its files. */
  remove: async (key: string): Promise<void> => (await device()).deviceDrafts().remove(key),

  /** Photos shared with the app and not used yet. */
  shared: async (): Promise<FormDraft | undefined> => (await device()).readShared(),

  /** Adds photos taken before their record is chosen to the shared ones. */
  share: async (photos: readonly File[]): Promise<void> => (await device()).keepShared(photos, Date.now()),

  /** Removes the shared photos with these keys, which are in a form now or discarded. */
  forgetShared: async (keys: readonly string[]): Promise<void> => (await device()).forgetShared(keys),
};
