import { STAGED_FROM_BYTES } from '../../src/domain/protocol/staging.ts';
import type { Staging, WholeFile } from '../staging/staging.ts';
import type { Caller } from '../stores/store.ts';
import type { ReceivedFile } from '../uploads/received.ts';
import { incomingPath, type Storage } from '../uploads/storage.ts';

/** What large files that came along in changes are kept with. */
interface Keeping {
  readonly storage: Storage;
  readonly staging: Staging;
}

/**
 * Second names for the large files that came along in a change, which uses up their first: once it has taken effect, a device need not send
 * them again. Smaller ones always come along, so nobody asks for them.
 */
export async function secondNames({ storage }: Keeping, files: readonly ReceivedFile[]): Promise<ReceivedFile[]> {
  const { maxFileBytes } = storage.limits;
  const named: ReceivedFile[] = [];
  for (const file of files) {
    const isLarge = file.size >= STAGED_FROM_BYTES && file.size <= maxFileBytes;
    if (!isLarge || file.type === undefined) continue;
    const path = incomingPath(storage);
    // what is wrong with the disk the change itself will tell
    const isNamed = await storage.disk.link(file.path, path).then(
      () => true,
      () => false,
    );
    if (isNamed) named.push({ ...file, path });
  }
  return named;
}

/** They stay among the staged files of whoever sent them. The change is made: where one cannot be kept, it is sent again one day. */
export async function keepSent(
  { staging }: Keeping,
  { user, log }: Caller,
  files: readonly WholeFile[],
): Promise<void> {
  await staging.adopt(user.id, files, (err) => log.info({ err }, 'a file that was sent is not kept'));
}
