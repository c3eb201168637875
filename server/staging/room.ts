import { noRoom } from './refusals.ts';
import type { KeptUpload, Upload, UploadStore } from './upload-store.ts';

/** Uploads of one person: small ones would fill a folder long before they fill a disk. */
const MOST_UPLOADS = 1000;
/** What rests for so long gives way when its person needs the room, in milliseconds. */
const RESTS_AFTER = 24 * 60 * 60 * 1000;

/** How much of one person is kept. */
interface Room {
  /** Bytes of all uploads. */
  readonly maxStagedBytes: number;
  /** Which of those that may go at all may go now; all where it is absent. */
  readonly mayGo?: ((upload: KeptUpload) => boolean) | undefined;
}

/** A change has taken it: it stays for another one as long as there is room. */
export function isUsed({ state }: Upload): boolean {
  return state === 'used';
}

/**
 * Removes of a person what may go, until all fit. New uploads, which are of one person, are among them already, so that another server
 * counts them too. Throws 507 where they do not fit.
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

/** What may go, in this order: what a change has used, then what rests; the oldest first. */
function removable(uploads: readonly KeptUpload[]): KeptUpload[] {
  const byAge = uploads.toSorted((one, other) => other.restsFor - one.restsFor);
  const used = byAge.filter(isUsed);
  const resting = byAge.filter((one) => !isUsed(one) && one.restsFor > RESTS_AFTER);
  return [...used, ...resting];
}
