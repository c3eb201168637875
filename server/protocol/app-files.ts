import { readFile, stat } from 'node:fs/promises';
import { extname, join, normalize, relative, sep } from 'node:path';
import { type Encodable, encodable } from './encodable.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
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
const COMPRESSIBLE = /^(text\/|application\/(json|manifest|wasm)|image\/svg)/;

/** Names of files whose content never changes: the build puts a hash of it into the name, of 7 characters (vite.config.ts). */
const HASHED = /^\/assets\/.+-[\w-]{7,}\.\w+$/;

/** True for the path of a file whose content never changes. */
export function isHashed(path: string): boolean {
  return HASHED.test(path);
}

/** One file of the built app. */
export interface AppFile {
  /** As in its address, with a leading slash. */
  readonly path: string;
  readonly type: string;
  readonly body: Encodable;
}

/** The last steps above this cost seconds and save next to nothing. */
const QUALITY = 9;

/** The built app's files, each kept in memory once, however it is asked for, and read again when it changes. */
export function appFiles(folder: string) {
  const kept = new Map<string, { readonly changedAt: number; readonly file: AppFile }>();
  return {
    /** The file at that path, its escapes decoded, or undefined. */
    async find(asked: string): Promise<AppFile | undefined> {
      const path = insidePath(folder, asked);
      const stats = path === undefined ? undefined : await stat(path).catch(() => undefined);
      if (path === undefined || stats === undefined || !stats.isFile()) return undefined;
      const known = kept.get(path);
      if (known?.changedAt === stats.mtimeMs) return known.file;
      const file = toAppFile(addressOf(folder, path), await readFile(path));
      kept.set(path, { changedAt: stats.mtimeMs, file });
      return file;
    },
  };
}

function toAppFile(path: string, bytes: Buffer): AppFile {
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  return { path, type, body: encodable(bytes, COMPRESSIBLE.test(type) ? QUALITY : undefined) };
}

function addressOf(folder: string, path: string): string {
  return `/${relative(folder, path).replaceAll(sep, '/')}`;
}

/** The one path on the disk for whatever way it is asked for; undefined for one that leads out of the folder. */
function insidePath(folder: string, asked: string): string | undefined {
  if (asked.includes('\0')) return undefined;
  const path = normalize(join(folder, asked));
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep) ? path : undefined;
}
