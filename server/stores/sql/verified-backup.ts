import type { BackupNotes, LastBackup, Verified } from '../../ops/last-backup.ts';
import { isKnown } from './epochs.ts';
import type { Database } from './tables.ts';

/**
 * THE place that knows what is safe in a backup: the newest one that was read back whole holds every change of this database up to
 * `verified.position`. Undefined if there is none, and while this database's history lacks that position, as after the restore of an
 * older backup. A backup in which files are missing or damaged does not count: a device may have the only good copy.
 */
export async function lastVerifiedBackup(
  notes: Pick<BackupNotes, 'all'>,
  db: Database,
): Promise<(LastBackup & { readonly verified: Verified }) | undefined> {
  for (const backup of await notes.all()) {
    const { verified, damaged } = backup;
    if (verified !== undefined && damaged === 0 && (await isKnown(db, verified.position)))
      return { ...backup, verified };
  }
  return undefined;
}
