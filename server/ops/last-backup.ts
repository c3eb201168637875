import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { realDisk, writeWhole } from '../uploads/disk.ts';

/** The latest backup, made by a command or the timer. */
export interface LastBackup {
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly file: string;
  /** The number of files that were missing or had changed. */
  readonly damaged: number;
  /** Absent from records of older versions. */
  readonly isEncrypted?: boolean;
}

/** An installation's backup records. */
export interface BackupNotes {
  /** Records a complete backup. */
  note(backup: LastBackup): Promise<void>;
  /** Resolves to the latest backup. Undefined if there is none or its record is unreadable. */
  last(): Promise<LastBackup | undefined>;
  /** Resolves to true for the one server that must back up now: the latest is older than `every` milliseconds. */
  claim(every: number): Promise<boolean>;
  /** Renews the claim of a running backup. Due within the hour, or another server begins one. */
  keepClaim(): Promise<void>;
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
  const last = async () => {
    const text = await readFile(path, 'utf8').catch(() => '');
    try {
      return JSON.parse(text) as LastBackup;
    } catch {
      return undefined;
    }
  };
  return {
    note: (backup) => writeWhole(realDisk, notePart(dataDir), path, Buffer.from(JSON.stringify(backup))),
    last,
    keepClaim: async () => undefined,
    async claim(every) {
      const age = Date.now() - Date.parse((await last())?.at ?? new Date(0).toISOString());
      // the clock was set back since: nobody knows how old it is
      return age < 0 || age >= every;
    },
  };
}
