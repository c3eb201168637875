import { createWriteStream, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type BackupPlace, placesOf } from '../ops/backup-places.ts';
import { tellNobody, type TellStep } from '../ops/backup-steps.ts';
import { OWN_ONLY, prepareDataFolder } from '../ops/data-folder.ts';
import type { Settings } from '../settings/settings.ts';
import { inWorkFolder } from './work-folder.ts';

type Places = Pick<Settings, 'dataDir' | 'backupDir' | 'backupUrl'>;

/** The word for the newest backup of all places. */
const LATEST = 'latest';

/**
 * Runs a task with the file of a backup: a path, the name of a backup in BACKUP_DIR or BACKUP_URL, or `latest`. One in the bucket is
 * fetched into the data folder for as long. Throws a readable error if there is none.
 */
export async function withBackupFile<T>(
  settings: Places,
  named: string,
  task: (file: string) => Promise<T>,
  tell: TellStep = tellNobody,
): Promise<T> {
  if (existsSync(named)) return task(named);
  const places = await placesOf(settings);
  const name = named === LATEST ? await newestIn(places) : named;
  for (const place of places) {
    const isThere = (await place.list()).some((one) => one.name === name);
    if (!isThere) continue;
    if (place.pathOf !== undefined) return task(place.pathOf(name));
    tell('fetch');
    return fetched(settings, place, name, task);
  }
  throw new Error(
    `There is no file ${named}, and no backup of this name. npm run restore -- --list names those in BACKUP_DIR and BACKUP_URL.`,
  );
}

async function newestIn(places: readonly BackupPlace[]): Promise<string> {
  const lists = await Promise.all(places.map((place) => place.list()));
  const names = lists.flatMap(([newest]) => newest?.name ?? []).toSorted();
  return names.at(-1) ?? LATEST;
}

async function fetched<T>(
  { dataDir }: Places,
  place: BackupPlace,
  name: string,
  task: (file: string) => Promise<T>,
): Promise<T> {
  prepareDataFolder(dataDir);
  return inWorkFolder(dataDir, [], async (folder) => {
    const stored = await place.read(name);
    if (stored === undefined) throw new Error(`${place.address}${name} is gone.`);
    const file = join(folder, basename(name));
    await pipeline(stored, createWriteStream(file, { mode: OWN_ONLY, flags: 'wx' }));
    return task(file);
  });
}
