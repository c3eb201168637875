import { lstat, mkdir, readdir, readlink, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';

/**
 * The place of the app's builds. `appDir` links to one of them; they are in the folder `builds` beside it, named by their time, so
 * that names sort by age.
 */
export interface BuildPlace {
  readonly appDir: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** How many builds to keep for rollback. Files for open pages are kept elsewhere (earlier-app-files.ts). */
const KEPT = 5;
/** Milliseconds. */
const DAY = 24 * 60 * 60 * 1000;

/** The suffix of an unfinished build. */
const UNFINISHED = '.part';

/**
 * Creates a build beside the served one and switches to it in one rename, so that no visitor gets a mix of both. A failed build
 * changes nothing. Returns the new build's name.
 */
export async function addBuild(place: BuildPlace, make: (folder: string) => Promise<void>): Promise<string> {
  const name = nameAt(place.now());
  const folder = join(folderOf(place), name);
  const part = folder + UNFINISHED;
  await mkdir(part, { recursive: true });
  try {
    await make(part);
    await rename(part, folder);
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw error;
  }
  await switchTo(place, name);
  await removeOld(place);
  return name;
}

/** Switches to the build before the served one. Returns its name. Throws if there is none. */
export async function rollBack(place: BuildPlace): Promise<string> {
  const current = basename(await readlink(place.appDir).catch(() => ''));
  const earlier = (await buildsOf(place)).findLast((name) => name < current);
  if (earlier === undefined) throw new Error(`There is no earlier build in ${folderOf(place)}.`);
  await switchTo(place, earlier);
  return earlier;
}

/** The folder of the newest build, served or not. Undefined before the first. */
export async function newestBuild(place: Pick<BuildPlace, 'appDir'>): Promise<string | undefined> {
  const newest = (await buildsOf(place)).at(-1);
  return newest === undefined ? undefined : join(folderOf(place), newest);
}

function folderOf({ appDir }: Pick<BuildPlace, 'appDir'>): string {
  return join(dirname(appDir), 'builds');
}

function nameAt(time: number): string {
  return new Date(time).toISOString().replaceAll(/[:.]/g, '-');
}

/** Finished builds, oldest first. */
async function buildsOf(place: Pick<BuildPlace, 'appDir'>): Promise<string[]> {
  const names = await readdir(folderOf(place)).catch(() => []);
  return names.filter((name) => /^\d{4}-.*Z$/.test(name)).toSorted();
}

async function switchTo(place: BuildPlace, name: string): Promise<void> {
  const { appDir } = place;
  const link = `${appDir}.${process.pid}.link`;
  await symlink(relative(dirname(appDir), join(folderOf(place), name)), link, 'junction');
  await makeWay(place);
  await rename(link, appDir);
}

/** Turns a plain folder into the previous build. On Windows, removes the link, because a rename cannot replace it. */
async function makeWay(place: BuildPlace): Promise<void> {
  const there = await lstat(place.appDir).catch(() => undefined);
  if (there === undefined) return;
  if (!there.isSymbolicLink()) await rename(place.appDir, join(folderOf(place), nameAt(there.mtimeMs)));
  else if (process.platform === 'win32') await rm(place.appDir);
}

/** Removes unfinished builds and all but the newest ones. */
async function removeOld(place: BuildPlace): Promise<void> {
  const yesterday = nameAt(place.now() - DAY);
  const unfinished = (await readdir(folderOf(place))).filter((name) => name.endsWith(UNFINISHED) && name < yesterday);
  const old = [...(await buildsOf(place)).slice(0, -KEPT), ...unfinished];
  await Promise.all(old.map((name) => rm(join(folderOf(place), name), { recursive: true, force: true })));
}
