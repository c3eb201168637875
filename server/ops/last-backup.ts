import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { realDisk, writeWhole } from '../uploads/disk.ts';

/** The latest backup, made by a command or the timer. */
export interface LastBackup {
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** The path, or the address in a bucket. */
  readonly file: string;
  /** Why it did not reach the bucket. Absent if it did, or if there is none. */
  readonly problem?: string;
  /** The number of files that were missing or had changed. */
  readonly damaged: number;
  /** Absent from records of older versions. */
  readonly isEncrypted?: boolean;
  /** What was read back from the file. Absent from records of older versions, whose backups nobody has verified. */
  readonly verified?: Verified;
}

/** What was read back from a backup. */
export interface Verified {
  /** When it was read back, ISO 8601 in UTC. */
  readonly at: string;
  /** It holds every change up to this number of the feed, as of this epoch (`stores/sql/epochs.ts`). */
  readonly position: { readonly epoch: string; readonly seq: number };
  readonly records: number;
  readonly files: number;
  /** Of the file as it is stored, in bytes. */
  readonly size: number;
  /** Of the file as it is stored, lower-case hexadecimal. */
  readonly sha256: string;
}

/** An installation's backup records. */
export interface BackupNotes {
  /** Records a complete backup. */
  note(backup: LastBackup): Promise<void>;
  /** Resolves to the latest backup. Undefined if there is none or its record is unreadable. */
  last(): Promise<LastBackup | undefined>;
  /** Resolves to the recorded backups, newest first, the latest hundred. Their files may be gone. */
  all(): Promise<readonly LastBackup[]>;
  /** Resolves to true for the one server that must back up now: the latest is older than `every` milliseconds. */
  claim(every: number): Promise<boolean>;
  /** Renews the claim of a running backup. Due within the hour, or another server begins one. */
  keepClaim(): Promise<void>;
}

/** Backups that are remembered. */
const REMEMBERED = 100;

/** The record of the latest backup and of those before it, in the form that older versions read: they know the latest alone. */
export interface BackupRecord extends LastBackup {
  /** Newest first. */
  readonly earlier?: readonly LastBackup[];
}

/** Recorded backups, newest first. */
export function backupsIn(record: BackupRecord | undefined): readonly LastBackup[] {
  if (record === undefined) return [];
  const { earlier = [], ...latest } = record;
  return [latest, ...earlier];
}

/** The record with one more backup, the latest. */
export function withBackup(record: BackupRecord | undefined, backup: LastBackup): BackupRecord {
  const others = backupsIn(record).filter(({ file }) => file !== backup.file);
  return { ...backup, earlier: others.slice(0, REMEMBERED - 1) };
}

/** The path of the record while this process writes it. */
export function notePart(dataDir: string): string {
  return `${notePath(dataDir)}.${process.pid}.part`;
}

function notePath(dataDir: string): string {
  return join(dataDir, 'last-backup.json');
}

/** Backup records in a file, for a single server. */
export function backupNotesIn(dataDir: string): BackupNotes {
  const path = notePath(dataDir);
  const record = async () => {
    const text = await readFile(path, 'utf8').catch(() => '');
    try {
      return JSON.parse(text) as BackupRecord;
    } catch {
      return undefined;
    }
  };
  const all = async () => backupsIn(await record());
  const last = async () => (await all())[0];
  return {
    async note(backup) {
      const text = JSON.stringify(withBackup(await record(), backup));
      await writeWhole(realDisk, notePart(dataDir), path, Buffer.from(text));
    },
    last,
    all,
    keepClaim: async () => undefined,
    async claim(every) {
      const age = Date.now() - Date.parse((await last())?.at ?? new Date(0).toISOString());
      // the clock was set back since: nobody knows how old it is
      return age < 0 || age >= every;
    },
  };
}
