import type { Database } from './tables.ts';
import { fileNames } from '../../uploads/disk.ts';
import { originalOf, sizeNames, sizePaths, sweepSizes } from '../../uploads/sizes.ts';
import { incomingFolder, type Storage, storedPath } from '../../uploads/storage.ts';
import { join } from 'node:path';

interface Place {
  readonly db: Database;
  readonly storage: Storage;
}

/** Removes stored files and their smaller versions. What is on the disk goes even if the rest cannot be removed. */
export async function removeFiles(storage: Storage, names: readonly string[]): Promise<void> {
  const paths = names.flatMap((name) => [storedPath(storage, name), ...sizePaths(storage, name)]);
  try {
    await storage.files.remove(names.flatMap((name) => [name, ...sizeNames(name)]));
  } finally {
    await Promise.all(paths.map((path) => storage.disk.remove(path)));
  }
}

/**
 * Removes the files that committed changes have dropped. Removes nothing while a backup holds the files, since its copy of
 * the database may still name them.
 */
export async function removeForgotten({ db, storage }: Place): Promise<void> {
  const held = holds({ db, storage });
  const free = db.selectFrom('removed_files').where(({ not, exists }) => not(exists(held)));
  const rows = await free.select('name').execute();
  const names = rows.map((row) => row.name);
  if (names.length === 0) return;
  await removeFiles(storage, names);
  await db.deleteFrom('removed_files').where('name', 'in', names).execute();
}

/**
 * Removes files that no row names from the uploads folder: unfinished uploads, and files whose row was never committed
 * because the server died first. Only for the start, before any request.
 */
export async function sweep({ db, storage }: Place): Promise<void> {
  const unfinished = await fileNames(incomingFolder(storage));
  await Promise.all(unfinished.map((name) => storage.disk.remove(join(incomingFolder(storage), name))));
  await removeForgotten({ db, storage });
  if (await isHeld({ db, storage })) return;
  const known = await db.selectFrom('files').select('name').execute();
  const names = new Set(known.map((row) => row.name));
  const orphans = (await fileNames(storage.folder)).filter((name) => !names.has(name));
  await removeFiles(storage, orphans);
  await sweepSizes(storage, names);
  const settled = await storage.files.settled();
  await storage.files.remove(settled.filter((name) => !names.has(originalOf(name))));
}

async function isHeld(place: Place): Promise<boolean> {
  return (await holds(place).executeTakeFirst()) !== undefined;
}

function holds({ db, storage }: Place) {
  const now = new Date(storage.now()).toISOString();
  return db.selectFrom('file_holds').select('id').where('until', '>', now);
}
