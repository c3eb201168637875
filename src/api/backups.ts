import {
  BACKUP_WORK_PATH,
  BACKUPS_PATH,
  type BackupsPage,
  type BackupWork,
  DOWNLOADS_PATH,
  REHEARSALS_PATH,
  type StoredBackup,
} from '../domain/protocol/backups.ts';
import { get, post } from './request.ts';

/** Everything here needs a live answer from the server, and throws ApiFailure. */

/** Returns the backups of every place, and what the server does with them now. */
export async function readBackups(): Promise<BackupsPage> {
  return (await get(BACKUPS_PATH)).body as BackupsPage;
}

/** Returns what the server does with backups now. */
export async function readBackupWork(): Promise<BackupWork> {
  return (await get(BACKUP_WORK_PATH)).body as BackupWork;
}

type Named = Pick<StoredBackup, 'name' | 'place'>;

/** Begins a backup. Returns the server's message. */
export function backUpNow(): Promise<string> {
  return messageFrom(BACKUP_WORK_PATH);
}

/** Begins the rehearsal of a restore. Returns the server's message. */
export function rehearseRestore({ name, place }: Named): Promise<string> {
  return messageFrom(REHEARSALS_PATH, { name, place });
}

/** Asks for an address that downloads a backup, once. */
export async function backupDownload({ name, place }: Named): Promise<string> {
  return ((await post(DOWNLOADS_PATH, { name, place })).body as { path: string }).path;
}

async function messageFrom(path: string, body?: object): Promise<string> {
  return ((await post(path, body)).body as { message: string }).message;
}
