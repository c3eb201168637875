import type { FormDraft } from '../offline/drafts/drafts.ts';
import { device } from './device.ts';

export type { DraftFile, FormDraft } from '../offline/drafts/drafts.ts';

/** The page's handle on the unfinished forms of this device. Each rejects where the device's storage cannot be had. */
export const drafts = {
  /** The form kept under a key. */
  read: async (key: string): Promise<FormDraft | undefined> => (await device()).deviceDrafts().read(key),

  /** Keeps a form. Files that are there already are not written again. */
  write: async (key: string, draft: FormDraft): Promise<void> => (await device()).deviceDrafts().write(key, draft),

  /** Forgets a form and its files. */
  remove: async (key: string): Promise<void> => (await device()).deviceDrafts().remove(key),

  /** The photos that were shared with the app and not used yet. */
  shared: async (): Promise<FormDraft | undefined> => (await device()).readShared(),

  /** Keeps photos that were taken before it is said what for, beside those that were shared. */
  share: async (photos: readonly File[]): Promise<void> => (await device()).keepShared(photos, Date.now()),

  /** Forgets them: they are in a form now, or given up. */
  forgetShared: async (): Promise<void> => (await device()).forgetShared(),
};
