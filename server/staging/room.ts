import { noRoom } from './refusals.ts';
import type { KeptUpload, Upload, UploadStore } from './upload-store.ts';

/** Maximum uploads per person. Many small ones would fill a folder long before the disk. */
const MOST_UPLOADS = 1000;
/** Uploads untouched for this long may be evicted when their person needs space. Milliseconds. */
const RESTS_AFTER = 24 * 60 * 60 * 1000;

/** The quota of one person. */
interface Room {
  /** Maximum bytes of all uploads. */
  readonly maxStagedBytes: number;
  /** Restricts which of the evictable uploads may go now. Absent for all. */
  readonly mayGo?: ((upload: KeptUpload) => boolean) | undefined;
}

/** True if a change has used the upload. It stays for another one as long as there is space. */
export function isUsed({ state }: Upload): boolean {
  return state === 'used';
}

/**
 * Evicts uploads of a person until all fit. The new uploads, all of one person, are already stored, so that other servers
 * count them too. Throws 507 if they do not fit.
 */
export async function makeRoom(
  store: Pick<UploadStore, 'of' | 'remove'>,
  newOnes: readonly Upload[],
  { maxStagedBytes, mayGo = () => true }: Room,
): Promise<void> {
  const [first] = newOnes;
  if (first === undefined) return;
  const uploads = await store.of(first.userId);
  const isNew = new Set(newOnes.map(({ sha256 }) => sha256));
  let bytes = uploads.reduce((sum, upload) => sum + upload.length, 0);
  let count = uploads.length;
  const fits = () => bytes <= maxStagedBytes && count <= MOST_UPLOADS;
  for (const upload of removable(uploads.filter((one) => !isNew.has(one.sha256) && mayGo(one)))) {
    if (fits()) return;
    await store.remove(upload);
    bytes -= upload.length;
    count -= 1;
  }
  if (!fits()) throw noRoom(maxStagedBytes, MOST_UPLOADS);
}

/** Evictable uploads in order: used ones first, then untouched ones; oldest first. */
function removable(uploads: readonly KeptUpload[]): KeptUpload[] {
  const byAge = uploads.toSorted((one, other) => other.restsFor - one.restsFor);
  const used = byAge.filter(isUsed);
  const resting = byAge.filter((one) => !isUsed(one) && one.restsFor > RESTS_AFTER);
  return [...used, ...resting];
}
