import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { BackupPlaceKind } from '../../src/domain/protocol/backups.ts';
import type { Settings } from '../settings/settings.ts';
import { fileNames, realDisk } from '../uploads/disk.ts';

/** A backup in a place. */
export interface Stored {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/** A place that keeps backups. */
export interface BackupPlace {
  readonly kind: BackupPlaceKind;
  /** Its address, for people. */
  readonly address: string;
  /** The backups in it, newest first. Other files are left out. */
  list(): Promise<readonly Stored[]>;
  /** The bytes of a backup. Undefined if there is none of this name. */
  read(name: string): Promise<Readable | undefined>;
  remove(name: string): Promise<void>;
  /** The path of a backup. Absent if the place is not on this machine. */
  pathOf?(name: string): string;
}

/** Names of own backups. Other files in a place are left alone. */
export const OWN_NAMES = /^voltdesk-\d{4}-\d\d-\d\dT[\d-]+Z\.voltdesk$/;

/** The name of a backup made at a time, in epoch milliseconds. */
export function nameAt(now: number): string {
  return `voltdesk-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}.voltdesk`;
}

/** When a backup was begun, by its name. ISO 8601 in UTC. Undefined for a file of another name. */
export function timeIn(name: string): string | undefined {
  const [, day, hours, minutes, seconds, milliseconds] =
    /^voltdesk-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.voltdesk$/.exec(name) ?? [];
  return day === undefined ? undefined : `${day}T${hours}:${minutes}:${seconds}.${milliseconds}Z`;
}

/** The places in which an installation keeps its backups. Throws a readable error if the bucket is unusable. */
export async function placesOf({
  backupDir,
  backupUrl,
}: Pick<Settings, 'backupDir' | 'backupUrl'>): Promise<readonly BackupPlace[]> {
  const folder = backupDir === '' ? [] : [backupsIn(backupDir)];
  if (backupUrl === '') return folder;
  // loaded only if used
  const { openBackupBucket } = await import('../uploads/backup-bucket.ts');
  return [...folder, await openBackupBucket(backupUrl)];
}

/** The backups in a folder. */
export function backupsIn(folder: string): BackupPlace {
  return {
    kind: 'folder',
    address: folder,
    async list() {
      const names = (await fileNames(folder)).filter((name) => OWN_NAMES.test(name));
      const sizes = names.map(async (name) => ({ name, size: (await stat(join(folder, name))).size }));
      return newestFirst(await Promise.all(sizes));
    },
    async read(name) {
      const path = join(folder, name);
      const isThere = OWN_NAMES.test(name) && (await fileNames(folder)).includes(name);
      return isThere ? createReadStream(path) : undefined;
    },
    pathOf: (name) => join(folder, name),
    remove: (name) => realDisk.remove(join(folder, name)),
  };
}

/** Backups, newest first: their names begin with their time. */
export function newestFirst(backups: readonly Stored[]): readonly Stored[] {
  return backups.toSorted((one, other) => (one.name < other.name ? 1 : -1));
}

/**
 * Removes all but the newest `keep` backups of a place. One that was named by a clock ahead of this one is left alone until its time has
 * come: it neither counts nor displaces the backup just written, `latest`.
 */
export async function removeSurplus(place: BackupPlace, latest: string, keep: number): Promise<void> {
  const present = (await place.list()).filter(({ name }) => name <= latest);
  await Promise.all(present.slice(keep).map(({ name }) => place.remove(name)));
}
