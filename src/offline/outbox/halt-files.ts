import { filesForWifi, missingFiles } from '../../domain/outbox/uploads.ts';
import type { Environment } from '../storage/environment.ts';
import { readTravel, readUpload, writeUpload } from '../storage/uploads.ts';
import { readMeta, writeMeta } from '../storage/meta.ts';
import { editing, stored } from './entry-commands.ts';

/**
 * Pauses or resumes the staged files of a change. The piece being sent is finished, and uploaded bytes are kept. The rest of the queue is not
 * held up.
 */
export async function haltFiles(environment: Environment, entryId: string, halted: boolean): Promise<void> {
  const { outbox } = environment;
  await editing(environment, async () => {
    const entry = await stored(environment, entryId);
    if (entry === undefined) return;
    const { administrator } = entry;
    for (const file of missingFiles(entry, await readTravel(environment))) {
      const { halted: _, notBefore: __, ...upload } = await readUpload(outbox, administrator, file);
      await writeUpload(outbox, administrator, halted ? { ...upload, halted } : upload);
    }
  });
}

/** Lets the files of a change that wait for Wi-Fi use any link. */
export async function sendOverAnyLink(environment: Environment, entryId: string): Promise<void> {
  const { outbox } = environment;
  await editing(environment, async () => {
    const entry = await stored(environment, entryId);
    if (entry === undefined) return;
    const { administrator } = entry;
    for (const file of filesForWifi(entry, await readTravel(environment))) {
      await writeUpload(outbox, administrator, { ...(await readUpload(outbox, administrator, file)), anyway: true });
    }
  });
}

/** From now on, sends the signed-in administrator's files of more than `over` bytes over Wi-Fi only. `undefined` allows any link for all files. */
export async function keepForWifi(environment: Environment, over: number | undefined): Promise<void> {
  const { outbox } = environment;
  await editing(environment, async () => {
    const session = await readMeta(outbox, 'session');
    if (session === undefined) return;
    const { [session.administrator]: _, ...others } = (await readMeta(outbox, 'wifiOver')) ?? {};
    await writeMeta(outbox, 'wifiOver', over === undefined ? others : { ...others, [session.administrator]: over });
  });
}
