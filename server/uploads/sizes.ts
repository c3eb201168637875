import { basename, join } from 'node:path';
import { exists, fileNames, makeFolder, writeWhole } from './disk.ts';
import type { Wanted } from '../concurrency/concurrency.ts';
import { PICTURE_WIDTHS, type PictureWidth, type Size, SIZES } from './picture-sizes.ts';
import { smallerPictures } from './pictures.ts';
import { type Storage, storedPath } from './storage.ts';

/** A folder in the uploads folder. */
const FOLDER = '.sizes';

/** Sizes in progress that someone waits for, so that ten requests for one make it once. */
const making = new Map<string, Promise<void>>();

/** The path of a stored picture at a smaller size. Makes it if it is missing. Throws if the picture is missing, and the signal's reason. */
export async function sizePath(storage: Storage, name: string, size: Size, wanted: Wanted): Promise<string> {
  const path = pathOf(storage, name, size);
  if (await isHere(storage, nameOf(name, size))) return path;
  const others = making.get(path);
  if (others === undefined) await makeOnce(storage, name, size, wanted);
  // the one who began may have given up: this one still wants it
  else if (
    !(await others.then(
      () => true,
      () => false,
    ))
  )
    return sizePath(storage, name, size, wanted);
  // whoever looked first began, so it may also be the one who waited that has hung up
  wanted.signal?.throwIfAborted();
  return path;
}

async function makeOnce(storage: Storage, name: string, size: Size, wanted: Wanted): Promise<void> {
  const path = pathOf(storage, name, size);
  const running = makeSizes(storage, name, [size], wanted).finally(() => making.delete(path));
  making.set(path, running);
  await running;
}

/** Makes the missing sizes of a stored picture while nothing else is to be done, decoding it once. Throws if it is missing or damaged. */
export async function makeMissingSizes(storage: Storage, name: string): Promise<void> {
  const present = await Promise.all(SIZES.map((size) => storage.files.has(nameOf(name, size))));
  const missing = SIZES.filter((_size, index) => present[index] === false);
  if (missing.length > 0) await makeSizes(storage, name, missing);
}

/** The given pictures that lack a size. */
export async function withoutSizes(storage: Storage, names: readonly string[]): Promise<string[]> {
  const there = await Promise.all(
    PICTURE_WIDTHS.map(async (width) => [width, new Set(await storage.files.list(folderOf(width)))] as const),
  );
  const made = new Map(there);
  return names.filter((name) => SIZES.some((size) => made.get(size.width)?.has(fileName(name, size)) !== true));
}

/** Names of a picture's sizes in the uploads folder. */
export function sizeNames(name: string): string[] {
  return SIZES.map((size) => nameOf(name, size));
}

/** Paths of a picture's sizes. */
export function sizePaths(storage: Pick<Storage, 'folder'>, name: string): string[] {
  return sizeNames(name).map((size) => join(storage.folder, size));
}

/** The stored file for a name in the uploads folder: itself, or the picture of which it is a size. */
export function originalOf(name: string): string {
  return isSize(name) ? basename(name).replace(/\.(webp|avif)$/, '') : name;
}

/** True for the name of a smaller picture in the uploads folder. */
export function isSize(name: string): boolean {
  return name.startsWith(`${FOLDER}/`);
}

/** Removes the sizes of a picture. */
export async function removeSizes(storage: Storage, name: string): Promise<void> {
  await storage.files.remove(sizeNames(name));
  await Promise.all(sizePaths(storage, name).map((path) => storage.disk.remove(path)));
}

/** Removes sizes of pictures that are no longer stored, and partial files of a killed server. */
export async function sweepSizes(storage: Storage, known: ReadonlySet<string>): Promise<void> {
  for (const width of PICTURE_WIDTHS) {
    const folder = join(storage.folder, folderOf(width));
    const dead = (await fileNames(folder)).filter((name) => !known.has(name.replace(/\.(webp|avif)$/, '')));
    await Promise.all(dead.map((name) => storage.disk.remove(join(folder, name))));
  }
}

async function makeSizes(storage: Storage, name: string, sizes: readonly Size[], wanted?: Wanted): Promise<void> {
  await storage.files.fetch(name);
  for await (const [size, bytes] of smallerPictures(storedPath(storage, name), sizes, wanted)) {
    await makeFolder(join(storage.folder, folderOf(size.width)));
    await write(storage, pathOf(storage, name, size), bytes);
    await storage.files.share(nameOf(name, size));
  }
}

/** Writes a file. It is flushed before it gets its name: after a power cut an empty picture would be served forever. */
function write({ disk, randomBytes }: Storage, path: string, bytes: Uint8Array): Promise<void> {
  return writeWhole(disk, `${path}.${randomBytes(8).toString('hex')}.part`, path, bytes);
}

/** True if a file is in the uploads folder, after fetching it if necessary. */
async function isHere(storage: Storage, name: string): Promise<boolean> {
  await storage.files.fetch(name);
  return exists(join(storage.folder, name));
}

function pathOf(storage: Pick<Storage, 'folder'>, name: string, size: Size): string {
  return join(storage.folder, nameOf(name, size));
}

function nameOf(name: string, size: Size): string {
  return `${folderOf(size.width)}/${fileName(name, size)}`;
}

function fileName(name: string, { format }: Size): string {
  return `${name}.${format}`;
}

function folderOf(width: PictureWidth): string {
  return `${FOLDER}/${width}`;
}
