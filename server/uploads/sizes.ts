import { join } from 'node:path';
import { exists, fileNames, makeFolder, writeWhole } from './disk.ts';
import { type Pace, PICTURE_WIDTHS, type PictureWidth, type Size, SIZES, smallerPictures } from './pictures.ts';
import { type Storage, storedPath } from './storage.ts';

/** Pictures being made smaller for somebody who waits, so that ten requests for one make it once. */
const making = new Map<string, Promise<void>>();

/** Path of a stored picture at a smaller size. One that is not there is made on the spot; throws when the picture is missing. */
export async function sizePath(storage: Storage, name: string, size: Size): Promise<string> {
  const path = pathOf(storage, name, size);
  if (await exists(path)) return path;
  const running = making.get(path) ?? makeSizes(storage, name, [size], 'soon').finally(() => making.delete(path));
  making.set(path, running);
  await running;
  return path;
}

/** Makes the sizes of a stored picture that are not there yet, decoding it once. Throws when it is missing or damaged. */
export async function makeMissingSizes(storage: Storage, name: string, pace: Pace): Promise<void> {
  const present = await Promise.all(SIZES.map((size) => exists(pathOf(storage, name, size))));
  const missing = SIZES.filter((_size, index) => present[index] === false);
  if (missing.length > 0) await makeSizes(storage, name, missing, pace);
}

/** Those of the named pictures that lack a size. */
export async function withoutSizes(storage: Storage, names: readonly string[]): Promise<string[]> {
  const there = await Promise.all(
    PICTURE_WIDTHS.map(async (width) => [width, new Set(await fileNames(folderOf(storage, width)))] as const),
  );
  const made = new Map(there);
  return names.filter((name) => SIZES.some((size) => made.get(size.width)?.has(fileName(name, size)) !== true));
}

/** Where the sizes of a picture are. */
export function sizePaths(storage: Pick<Storage, 'folder'>, name: string): string[] {
  return SIZES.map((size) => pathOf(storage, name, size));
}

/** Removes what was made of a picture. */
export async function removeSizes(storage: Storage, name: string): Promise<void> {
  await Promise.all(sizePaths(storage, name).map((path) => storage.disk.remove(path)));
}

/** Removes what was made of pictures that are not stored any more, and what a killed server left half written. */
export async function sweepSizes(storage: Storage, known: ReadonlySet<string>): Promise<void> {
  for (const width of PICTURE_WIDTHS) {
    const names = await fileNames(folderOf(storage, width));
    const dead = names.filter((name) => !known.has(name.replace(/\.(webp|avif)$/, '')));
    await Promise.all(dead.map((name) => storage.disk.remove(join(folderOf(storage, width), name))));
  }
}

async function makeSizes(storage: Storage, name: string, sizes: readonly Size[], pace: Pace): Promise<void> {
  for await (const [size, bytes] of smallerPictures(storedPath(storage, name), sizes, pace)) {
    await makeFolder(folderOf(storage, size.width));
    await write(storage, pathOf(storage, name, size), bytes);
  }
}

/** Flushed before it gets its name: an empty picture after a power cut would be served for ever. */
function write({ disk, randomBytes }: Storage, path: string, bytes: Uint8Array): Promise<void> {
  return writeWhole(disk, `${path}.${randomBytes(8).toString('hex')}.part`, path, bytes);
}

function pathOf(storage: Pick<Storage, 'folder'>, name: string, size: Size): string {
  return join(folderOf(storage, size.width), fileName(name, size));
}

function fileName(name: string, { format }: Size): string {
  return `${name}.${format}`;
}

function folderOf(storage: Pick<Storage, 'folder'>, width: PictureWidth): string {
  return join(storage.folder, '.sizes', String(width));
}
