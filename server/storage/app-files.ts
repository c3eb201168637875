import { readFile, stat } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { type Encodable, encodable } from '../encodable.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** Types that compression makes smaller. */
const COMPRESSIBLE = /^(text\/|application\/(json|manifest)|image\/svg)/;

/** One file of the built app. */
export interface AppFile {
  /** As in its address, with a leading slash. */
  readonly path: string;
  readonly type: string;
  readonly body: Encodable;
}

/** The last steps above this cost seconds and save next to nothing. */
const QUALITY = 9;

/** The built app's files, kept in memory and read again when they change. */
export function appFiles(folder: string) {
  const kept = new Map<string, { readonly changedAt: number; readonly file: AppFile }>();
  return {
    /** The file at that address, or undefined. */
    async find(address: string): Promise<AppFile | undefined> {
      const path = insidePath(folder, address);
      const stats = path === undefined ? undefined : await stat(path).catch(() => undefined);
      if (path === undefined || stats === undefined || !stats.isFile()) return undefined;
      const known = kept.get(address);
      if (known?.changedAt === stats.mtimeMs) return known.file;
      const file = toAppFile(address, await readFile(path));
      kept.set(address, { changedAt: stats.mtimeMs, file });
      return file;
    },
  };
}

function toAppFile(path: string, bytes: Buffer): AppFile {
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  return { path, type, body: encodable(bytes, COMPRESSIBLE.test(type) ? QUALITY : undefined) };
}

/** The path of an address inside a folder; undefined for one that leads out of it. */
function insidePath(folder: string, address: string): string | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(address);
  } catch {
    return undefined;
  }
  if (decoded.includes('\0')) return undefined;
  const path = normalize(join(folder, decoded));
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep) ? path : undefined;
}
