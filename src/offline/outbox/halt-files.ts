import { missingFiles } from '../../domain/outbox/uploads.ts';
import type { Environment } from '../storage/environment.ts';
import { readTravel, readUpload, writeUpload } from '../storage/uploads.ts';
import { editing, stored } from './entry-commands.ts';

/**
 * Halts the files of a change that are on their way before it, or lets them go on. The piece that is going out is sent to its end; what
 * has arrived stays. Nothing else of the queue is held up.
 */
export async function haltFiles(environment: Environment, entryId: string, halted: boolean): Promise<void> {
  const { outbox } = environment;
  await editing(environment, async () => {
    const entry = await stored(environment, entryId);
    if (entry === undefined) return;
    const { administrator } = entry;
    for (const file of missingFiles(entry, await readTravel(outbox))) {
      const { halted: _, notBefore: __, ...upload } = await readUpload(outbox, administrator, file);
      await writeUpload(outbox, administrator, halted ? { ...upload, halted } : upload);
    }
  });
}
