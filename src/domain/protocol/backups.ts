/** The calls about backups, for owners, on a server that keeps the records itself. */
export const BACKUPS_PATH = '/api/backups';
/** What the server does with backups now. `GET` asks, which is cheap; `POST` begins a backup. */
export const BACKUP_WORK_PATH = `${BACKUPS_PATH}/work`;
/** Begins a rehearsal of a restore: `POST` with `name` and `place`. */
export const REHEARSALS_PATH = `${BACKUPS_PATH}/rehearsals`;
/** Answers an address for one download: `POST` with `name` and `place`, after a recent sign-in. */
export const DOWNLOADS_PATH = `${BACKUPS_PATH}/downloads`;

/** Where a backup is kept. */
export type BackupPlaceKind = 'folder' | 'bucket';

/** A backup in one of the places. Times are ISO 8601 in UTC. */
export interface StoredBackup {
  readonly name: string;
  readonly place: BackupPlaceKind;
  /** When it was begun. */
  readonly at: string;
  /** Bytes. */
  readonly size: number;
  /** When it was read back. Absent if this installation has no record of that. */
  readonly verifiedAt?: string;
  /** Records and files in it, and files that were missing or damaged then. Absent without that record. */
  readonly records?: number;
  readonly files?: number;
  readonly damaged?: number;
  readonly isEncrypted?: boolean;
}

/** The steps of a backup and of a rehearsal. */
export type BackupStep = 'start' | 'copy' | 'files' | 'encrypt' | 'verify' | 'send' | 'fetch';

/** A step that is under way. */
export interface BackupProgress {
  readonly step: BackupStep;
  /** Of the step, in its own units. Absent if unknown. */
  readonly done?: number;
  readonly total?: number;
}

/** What this server does with backups, and did last. */
export interface BackupWork {
  /** Absent if it does nothing now. */
  readonly running?: BackupProgress & { readonly what: 'backup' | 'rehearsal' };
  /** How the last backup or rehearsal that was asked for ended, if it failed. */
  readonly failure?: string;
  /** The last rehearsal. */
  readonly rehearsal?: Rehearsed;
}

/** A place that keeps backups. */
export interface BackupPlaceFacts {
  readonly kind: BackupPlaceKind;
  readonly address: string;
  /** Why it cannot be looked at now. */
  readonly problem?: string;
}

/** The answer to `GET /api/backups`. */
export interface BackupsPage extends BackupWork {
  /** Empty if none is set up. */
  readonly places: readonly BackupPlaceFacts[];
  /** Newest first. */
  readonly backups: readonly StoredBackup[];
  readonly everyHours: number;
  readonly keep: number;
  /** Whether new backups are encrypted. */
  readonly hasKey: boolean;
}

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

/** A rehearsal of this server, and the command that carries the restore out. */
export interface Rehearsed {
  readonly name: string;
  readonly place: BackupPlaceKind;
  readonly result: Rehearsal;
  readonly command: string;
}
