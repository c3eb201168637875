/** Where a backup is kept. */
export type BackupPlaceKind = 'folder' | 'bucket';

/** How things of one sort would differ after a restore. */
export interface Difference {
  /** In the backup and not here now: they would come back. */
  readonly back: number;
  /** Here now and not in the backup: they would be gone. */
  readonly gone: number;
  /** In both, and different: they would be as they were. */
  readonly changed: number;
}

/** What a restore would change. */
export interface Rehearsal {
  /** When the backup was begun; absent if its name does not say. ISO 8601 in UTC. */
  readonly at?: string;
  /** By the name of the kind; those without a difference are left out. */
  readonly records: Readonly<Record<string, Difference>>;
  readonly files: Difference;
  readonly people: Difference;
  /** Records and files in the backup. */
  readonly total: { readonly records: number; readonly files: number };
  /** Files of the backup that are missing or damaged. A restore refuses it then. */
  readonly damaged: readonly string[];
  /** It is of a newer release, which has to be installed first. */
  readonly isNewer: boolean;
}
