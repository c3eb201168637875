import { join } from 'node:path';
import { fileNames, makeFolder } from './disk.ts';
import { PICTURE_WIDTHS, type PictureWidth, resized } from './pictures.ts';
import { type Storage, storedPath } from './uploads.ts';
import { access, rename, writeFile } from 'node:fs/promises';

/** What smaller pictures are encoded as: what the browser takes, the smaller first. */
export const SIZE_FORMATS = ['avif', 'webp'] as const;
export type SizeFormat = (typeof SIZE_FORMATS)[number];

/** Pictures being made smaller right now, so that ten requests for one make it once. */
const making = new Map<string, Promise<void>>();

/** Path of a stored picture at a smaller width. Made at the first use and kept; throws when the picture is missing. */
export async function sizePath(
  storage: Storage,
  name: string,
  width: PictureWidth,
  format: SizeFormat,
): Promise<string> {
  const path = pathOf(storage, name, width, format);
  if (await exists(path)) return path;
  const running = making.get(path) ?? make(storage, name, width, format).finally(() => making.delete(path));
  making.set(path, running);
  await running;
  return path;
}

/** Removes what was made of a picture. */
export async function removeSizes(storage: Storage, name: string): Promise<void> {
  const paths = PICTURE_WIDTHS.flatMap((width) => SIZE_FORMATS.map((format) => pathOf(storage, name, width, format)));
  await Promise.all(paths.map((path) => storage.disk.remove(path)));
}

/** Removes what was made of pictures that are not stored any more. `.part` files of a killed server go with them. */
export async function sweepSizes(storage: Storage, known: ReadonlySet<string>): Promise<void> {
  for (const width of PICTURE_WIDTHS) {
    const names = await fileNames(folderOf(storage, width));
    const dead = names.filter((name) => !known.has(name.replace(/\.(webp|avif)$/, '')));
    await Promise.all(dead.map((name) => storage.disk.remove(join(folderOf(storage, width), name))));
  }
}

/** A cache: it can be made again, so it is not flushed; the rename keeps half-written files out. */
async function make(storage: Storage, name: string, width: PictureWidth, format: SizeFormat): Promise<void> {
  const path = pathOf(storage, name, width, format);
  const bytes = await resized(storedPath(storage, name), width, format);
  await makeFolder(folderOf(storage, width));
  await writeFile(`${path}.part`, bytes);
  await rename(`${path}.part`, path);
}

function pathOf(storage: Storage, name: string, width: PictureWidth, format: SizeFormat): string {
  return join(folderOf(storage, width), `${name}.${format}`);
}

function folderOf(storage: Storage, width: PictureWidth): string {
  return join(storage.folder, '.sizes', String(width));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
