import { basename, join } from 'node:path';
import { exists, fileNames, makeFolder, writeWhole } from './disk.ts';
import { type Pace, PICTURE_WIDTHS, type PictureWidth, type Size, SIZES, smallerPictures } from './pictures.ts';
import { type Storage, storedPath } from './storage.ts';

/** In the uploads folder. */
const FOLDER = '.sizes';

/** Pictures being made smaller for somebody who waits, so that ten requests for one make it once. */
const making = new Map<string, Promise<void>>();

/** Path of a stored picture at a smaller size. One that is not there is made on the spot; throws when the picture is missing. */
export async function sizePath(storage: Storage, name: string, size: Size): Promise<string> {
  const path = pathOf(storage, name, size);
  if (await isHere(storage, nameOf(name, size))) return path;
  const running = making.get(path) ?? makeSizes(storage, name, [size], 'soon').finally(() => making.delete(path));
  making.set(path, running);
  await running;
  return path;
}

/** Makes the sizes of a stored picture that are not there yet, decoding it once. Throws when it is missing or damaged. */
export async function makeMissingSizes(storage: Storage, name: string, pace: Pace): Promise<void> {
  const present = await Promise.all(SIZES.map((size) => storage.files.has(nameOf(name, size))));
  const missing = SIZES.filter((_size, index) => present[index] === false);
  if (missing.length > 0) await makeSizes(storage, name, missing, pace);
}

/** Those of the named pictures that lack a size. */
export async function withoutSizes(storage: Storage, names: readonly string[]): Promise<string[]> {
  const there = await Promise.all(
    PICTURE_WIDTHS.map(async (width) => [width, new Set(await storage.files.list(folderOf(width)))] as const),
  );
  const made = new Map(there);
  return names.filter((name) => SIZES.some((size) => made.get(size.width)?.has(fileName(name, size)) !== true));
}

/** Names of the sizes of a picture in the uploads folder. */
export function sizeNames(name: string): string[] {
  return SIZES.map((size) => nameOf(name, size));
}

/** Where the sizes of a picture are. */
export function sizePaths(storage: Pick<Storage, 'folder'>, name: string): string[] {
  return sizeNames(name).map((size) => join(storage.folder, size));
}

/** The stored file that a name in the uploads folder is of: itself, or the picture that it is a size of. */
export function originalOf(name: string): string {
  return name.startsWith(`${FOLDER}/`) ? basename(name).replace(/\.(webp|avif)$/, '') : name;
}

/** Removes what was made of a picture. */
export async function removeSizes(storage: Storage, name: string): Promise<void> {
  await storage.files.remove(sizeNames(name));
  await Promise.all(sizePaths(storage, name).map((path) => storage.disk.remove(path)));
}

/** Removes what was made of pictures that are not stored any more, and what a killed server left half written. */
export async function sweepSizes(storage: Storage, known: ReadonlySet<string>): Promise<void> {
  for (const width of PICTURE_WIDTHS) {
    const folder = join(storage.folder, folderOf(width));
    const dead = (await fileNames(folder)).filter((name) => !known.has(name.replace(/\.(webp|avif)$/, '')));
    await Promise.all(dead.map((name) => storage.disk.remove(join(folder, name))));
  }
}

async function makeSizes(storage: Storage, name: string, sizes: readonly Size[], pace: Pace): Promise<void> {
  await storage.files.fetch(name);
  for await (const [size, bytes] of smallerPictures(storedPath(storage, name), sizes, pace)) {
    await makeFolder(join(storage.folder, folderOf(size.width)));
    await write(storage, pathOf(storage, name, size), bytes);
    await storage.files.share(nameOf(name, size));
  }
}

/** Flushed before it gets its name: an empty picture after a power cut would be served for ever. */
function write({ disk, randomBytes }: Storage, path: string, bytes: Uint8Array): Promise<void> {
  return writeWhole(disk, `${path}.${randomBytes(8).toString('hex')}.part`, path, bytes);
}

/** Whether a file lies in the uploads folder, or does now. */
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
