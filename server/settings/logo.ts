import { existsSync, statSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';

/** Media types of logo files. SVG is safe here: it comes from the operator and is shown as an image. */
const LOGO_TYPES: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
};

/** Describes the problem with the logo setting, or returns undefined. */
export function logoProblem(path: string): string | undefined {
  if (isAddress(path)) return undefined;
  if (logoType(path) === undefined) return `"${path}" is no ${Object.keys(LOGO_TYPES).join(', ')} file.`;
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? undefined : `there is no file "${path}".`;
}

/** True for a file in the folder that a server with its own store clears of files without a record. */
export function isAmongUploads(path: string, dataDir: string): boolean {
  return path !== '' && !isAddress(path) && dirname(resolve(path)) === resolve(dataDir, 'uploads');
}

/**
 * The missing file behind a logo's address, or undefined. Not fatal: restoring a backup may bring it.
 */
export function missingLogo(path: string, dataDir: string, appDir: string): string | undefined {
  if (!isAddress(path)) return undefined;
  const file = join(path.startsWith('/uploads/') ? dataDir : appDir, path);
  return existsSync(file) ? undefined : file;
}

/** Media type of a logo file by its name, or undefined. */
export function logoType(path: string): string | undefined {
  return LOGO_TYPES[extname(path).toLowerCase()];
}

/** The address of the logo on this site, or '' for the app's own. */
export function logoAddress(path: string): string {
  return path === '' || isAddress(path) ? path : `/uploads/logo${extname(path).toLowerCase()}`;
}

/** True if the setting is an address rather than a file. */
export function isAddress(path: string): boolean {
  return path.startsWith('/uploads/') || path.startsWith('/icons/');
}
