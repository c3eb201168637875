import { join } from 'node:path';
import type { Settings } from '../settings.ts';
import type { Storage } from '../uploads/storage.ts';
import { Staging } from './staging.ts';

/** The staging of a data folder: beside the uploads, on the same disk. */
export function stagingIn(
  { dataDir, maxFileBytes, maxStagedBytes }: Settings,
  { disk, now }: Storage,
  keepRoom?: () => Promise<void>,
): Staging {
  const folder = join(dataDir, 'staging');
  return new Staging({
    folder,
    disk,
    now,
    maxFileBytes,
    maxStagedBytes,
    ...(keepRoom === undefined ? {} : { keepRoom }),
  });
}
