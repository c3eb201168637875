import { STAGED_FROM_BYTES } from '../../src/domain/protocol/staging.ts';
import type { Staging, WholeFile } from '../staging/staging.ts';
import type { Caller } from '../stores/store.ts';
import type { ReceivedFile } from '../uploads/received.ts';
import { incomingPath, type Storage } from '../uploads/storage.ts';

/** Dependencies of keeping inline files. */
interface Keeping {
  readonly storage: Storage;
  readonly staging: Staging;
}

/**
 * Links the large inline files of a change under second names, because the change consumes the first ones. Once the change has
 * taken effect, devices need not send them again. Smaller files are always inline, so they are not kept.
 */
export async function secondNames({ storage }: Keeping, files: readonly ReceivedFile[]): Promise<ReceivedFile[]> {
  const { maxFileBytes } = storage.limits;
  const named: ReceivedFile[] = [];
  for (const file of files) {
    const isLarge = file.size >= STAGED_FROM_BYTES && file.size <= maxFileBytes;
    if (!isLarge || file.type === undefined) continue;
    const path = incomingPath(storage);
    // the change itself reports disk errors
    const isNamed = await storage.disk.link(file.path, path).then(
      () => true,
      () => false,
    );
    if (isNamed) named.push({ ...file, path });
  }
  return named;
}

/** Adds the files to the sender's staged files. The change is already made, so a failure only means that a file is sent again one day. */
export async function keepSent(
  { staging }: Keeping,
  { user, log }: Caller,
  files: readonly WholeFile[],
): Promise<void> {
  const onLost = (err: unknown) => log.info({ err }, 'a file that was sent is not kept');
  await staging.adopt(user.id, files, onLost).catch(onLost);
}
