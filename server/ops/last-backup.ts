import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { realDisk, writeWhole } from '../uploads/disk.ts';

/** What is known of the newest backup, by whichever command or timer it was made. */
export interface LastBackup {
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly file: string;
  /** Files that were missing or not as they were stored. */
  readonly damaged: number;
}

/** What an installation knows of its backups. */
export interface BackupNotes {
  /** Notes a backup that is complete. */
  note(backup: LastBackup): Promise<void>;
  /** The newest backup; undefined when there never was one, or nobody can tell. */
  last(): Promise<LastBackup | undefined>;
  /** True for whoever is to make a backup now, since the newest is older than so many milliseconds: for one of several servers. */
  claim(every: number): Promise<boolean>;
  /** Says that the backup which was claimed is still being made: within the hour, so that no other server begins one. */
  keepClaim(): Promise<void>;
}

/** Beside the database of the only server. */
export function backupNotesIn(dataDir: string): BackupNotes {
  const path = join(dataDir, 'last-backup.json');
  const last = async () => {
    const text = await readFile(path, 'utf8').catch(() => '');
    try {
      return JSON.parse(text) as LastBackup;
    } catch {
      return undefined;
    }
  };
  return {
    note: (backup) => writeWhole(realDisk, `${path}.${process.pid}.part`, path, Buffer.from(JSON.stringify(backup))),
    last,
    keepClaim: async () => undefined,
    claim: async (every) => Date.now() - Date.parse((await last())?.at ?? new Date(0).toISOString()) >= every,
  };
}
