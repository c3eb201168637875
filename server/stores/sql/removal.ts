import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { fileNames } from '../../uploads/disk.ts';
import { isSize, originalOf, sizeNames, sizePaths, sweepSizes } from '../../uploads/sizes.ts';
import { incomingFolder, type Storage, storedPath } from '../../uploads/storage.ts';
import type { FilesOwner } from './files-owner.ts';
import type { Database } from './tables.ts';

/** Files removed together, and names in one statement. Every database takes more values than this. */
const AT_ONCE = 100;

/** How long a file that no record names is kept. Milliseconds. */
const KEPT_UNNAMED = 30 * 24 * 60 * 60 * 1000;

interface World {
  readonly db: Database;
  readonly storage: Storage;
  readonly owner: FilesOwner;
  /** Ends what is under way, between two batches. */
  readonly ending: AbortSignal;
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

/** Removes the files that committed changes have dropped, in the background. */
export interface Removal {
  /** Begins. Resolves after the first files, or after a second: a storage that does not answer delays no change. */
  begin(log: Pick<FastifyBaseLogger, 'warn'>): Promise<void>;
  /** Resolves once nothing is being removed. */
  done(): Promise<void>;
}

/** The longest that a change waits for its files to be removed. Milliseconds. */
const PATIENCE = 1000;

/** Runs one removal at a time. What could not be removed is removed with a later one. */
export function removalOf(world: World): Removal {
  let running: Promise<void> = Promise.resolve();
  /** The first files of a removal that has not begun. It covers what everybody has dropped until it does. */
  let next: Promise<void> | undefined;
  const run = (log: Pick<FastifyBaseLogger, 'warn'>) => {
    const first = Promise.withResolvers<void>();
    const earlier = running;
    const remove = async () => {
      await earlier;
      next = undefined;
      await removeAll(world, first.resolve).catch((err: unknown) => log.warn({ err }, 'files not removed'));
      first.resolve();
    };
    running = remove();
    return first.promise;
  };
  return {
    async begin(log) {
      next ??= run(log);
      await Promise.race([next, pause(PATIENCE, undefined, { ref: false })]);
    },
    async done() {
      await running;
    },
  };
}

async function removeAll(world: World, first: () => void): Promise<void> {
  while (!world.ending.aborted && (await removeSome(world))) first();
}

/**
 * Removes the files that committed changes have dropped, some at a time. Returns false if there are none. Removes nothing while a
 * backup holds the files, since its copy of the database may still name them, and nothing that may be somebody else's.
 */
async function removeSome({ db, storage, owner }: World): Promise<boolean> {
  const held = holds({ db, storage });
  const free = db.selectFrom('removed_files').where(({ not, exists }) => not(exists(held)));
  const names = (await free.select('name').limit(AT_ONCE).execute()).map(({ name }) => name);
  if (names.length === 0 || !(await owner.isConfirmed())) return false;
  await removeFiles(storage, names);
  await db.deleteFrom('removed_files').where('name', 'in', names).execute();
  return true;
}

/** Removes unfinished uploads. Only for the start, before any request. */
export async function removeUnfinished(storage: Storage): Promise<void> {
  const unfinished = await fileNames(incomingFolder(storage));
  await Promise.all(unfinished.map((name) => storage.disk.remove(join(incomingFolder(storage), name))));
}

/**
 * Notes the stored files that no record names, and removes those that have been noted for 30 days. A file whose row was never
 * committed is one of them, and so is a file whose row was lost. Smaller pictures of unnamed files can be made again and go at once.
 */
export async function tidyFiles(world: World): Promise<void> {
  const { db, storage, owner } = world;
  await removeAll(world, () => undefined);
  if (world.ending.aborted || (await isHeld(world))) return;
  // in this order: a file that is stored meanwhile is not listed
  const listed = await storage.files.settled();
  const names = new Set((await db.selectFrom('files').select('name').execute()).map(({ name }) => name));
  const stored = listed.filter((name) => !names.has(originalOf(name)));
  if (!(await owner.isConfirmed())) return;
  if (!storage.files.isFolder) await removeCopies(storage, names);
  await sweepSizes(storage, names);
  await inBatches(world, stored.filter(isSize), (some) => storage.files.remove(some));
  const unnamed = new Set(stored.filter((name) => !isSize(name)));
  await noteUnnamed(world, unnamed);
  await removeExpired(world, unnamed);
}

/** The files that no record names, which are kept for 30 days. */
export interface UnnamedFiles {
  readonly count: number;
  /** When the first one will be removed, ISO 8601. Absent if there are none. */
  readonly until?: string;
}

/** Counts the files that no record names. */
export async function unnamedFiles(db: Database): Promise<UnnamedFiles> {
  const { count, since } = await db
    .selectFrom('unnamed_files')
    .select((one) => [one.fn.countAll<number>().as('count'), one.fn.min('since').as('since')])
    .executeTakeFirstOrThrow();
  if (since === null) return { count: 0 };
  return { count: Number(count), until: new Date(Date.parse(since) + KEPT_UNNAMED).toISOString() };
}

/** Removes local copies of files that no record names. */
async function removeCopies(storage: Storage, names: ReadonlySet<string>): Promise<void> {
  const copies = (await fileNames(storage.folder)).filter((name) => !name.startsWith('.') && !names.has(name));
  await Promise.all(copies.map((name) => storage.disk.remove(storedPath(storage, name))));
}

/** Makes the notes those of the given files. Files noted before keep their time. */
async function noteUnnamed(world: World, unnamed: ReadonlySet<string>): Promise<void> {
  const { db, storage } = world;
  const noted = (await db.selectFrom('unnamed_files').select('name').execute()).map(({ name }) => name);
  await inBatches(
    world,
    noted.filter((name) => !unnamed.has(name)),
    async (some) => void (await db.deleteFrom('unnamed_files').where('name', 'in', some).execute()),
  );
  const since = new Date(storage.now()).toISOString();
  const known = new Set(noted);
  await inBatches(
    world,
    [...unnamed].filter((name) => !known.has(name)),
    async (some) => {
      const rows = some.map((name) => ({ name, since }));
      await db
        .insertInto('unnamed_files')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  );
}

async function removeExpired(world: World, unnamed: ReadonlySet<string>): Promise<void> {
  const { db, storage } = world;
  const before = new Date(storage.now() - KEPT_UNNAMED).toISOString();
  const expired = await db.selectFrom('unnamed_files').select('name').where('since', '<', before).execute();
  await inBatches(
    world,
    expired.map(({ name }) => name).filter((name) => unnamed.has(name)),
    async (some) => {
      await removeFiles(storage, some);
      await db.deleteFrom('unnamed_files').where('name', 'in', some).execute();
    },
  );
}

async function inBatches(
  { ending }: Pick<World, 'ending'>,
  names: readonly string[],
  task: (some: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < names.length && !ending.aborted; at += AT_ONCE) await task(names.slice(at, at + AT_ONCE));
}

async function isHeld(place: Pick<World, 'db' | 'storage'>): Promise<boolean> {
  return (await holds(place).executeTakeFirst()) !== undefined;
}

function holds({ db, storage }: Pick<World, 'db' | 'storage'>) {
  const now = new Date(storage.now()).toISOString();
  return db.selectFrom('file_holds').select('id').where('until', '>', now);
}
