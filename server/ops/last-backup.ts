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

function pathIn(dataDir: string): string {
  return join(dataDir, 'last-backup.json');
}

/** Notes a backup that is complete. */
export async function noteBackup(dataDir: string, backup: LastBackup): Promise<void> {
  const passing = `${pathIn(dataDir)}.${process.pid}.part`;
  await writeWhole(realDisk, passing, pathIn(dataDir), Buffer.from(JSON.stringify(backup)));
}

/** The newest backup; undefined when there never was one, or nobody can tell. */
export async function lastBackup(dataDir: string): Promise<LastBackup | undefined> {
  const text = await readFile(pathIn(dataDir), 'utf8').catch(() => '');
  try {
    return JSON.parse(text) as LastBackup;
  } catch {
    return undefined;
  }
}
