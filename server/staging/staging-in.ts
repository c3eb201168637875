import type { Settings } from '../settings/settings.ts';
import { Staging } from './staging.ts';
import type { UploadStore } from './upload-store.ts';

/** The staging of an installation, with the limits from its settings. */
export function stagingIn(
  { maxFileBytes, maxStagedBytes }: Settings,
  uploads: UploadStore,
  keepRoom?: () => Promise<void>,
): Staging {
  return new Staging({ uploads, maxFileBytes, maxStagedBytes, ...(keepRoom === undefined ? {} : { keepRoom }) });
}
