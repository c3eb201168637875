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

/** Media types worth compressing. */
const COMPRESSIBLE = /^(text\/|application\/(json|manifest|wasm)|image\/svg)/;

/** Immutable files: the build puts a hash of 7 characters into their names (vite.config.ts). */
const HASHED = /^\/assets\/.+-[\w-]{7,}\.\w+$/;

/** True for the path of an immutable file. */
export function isHashed(path: string): boolean {
  return HASHED.test(path);
}

/** One file of the built app. */
export interface AppFile {
  /** The path of its address, with a leading slash. */
  readonly path: string;
  readonly type: string;
  readonly body: Encodable;
}

/** Brotli quality of what is compressed on request. Higher levels take seconds: see `precompress`. */
const QUALITY = 9;

/** The suffix of a Brotli file beside an immutable file. */
export const BROTLI_SUFFIX = '.br';

/** True for an immutable file that pages load and that is worth compressing. Source maps are only for developers. */
export function isPrecompressible(path: string): boolean {
  return isHashed(path) && !path.endsWith('.map') && COMPRESSIBLE.test(typeOf(path));
}

/** The files of the built app, cached in memory and read again when they change. */
export function appFiles(folder: string) {
  const kept = new Map<string, { readonly changedAt: number; readonly file: AppFile }>();
  return {
    /** Returns the file at the decoded path, or undefined. */
    async find(asked: string): Promise<AppFile | undefined> {
      const path = insidePath(folder, asked);
      const stats = path === undefined ? undefined : await stat(path).catch(() => undefined);
      if (path === undefined || stats === undefined || !stats.isFile()) return undefined;
      const known = kept.get(path);
      if (known?.changedAt === stats.mtimeMs) return known.file;
      const file = toAppFile(addressOf(folder, path), path, await readFile(path));
      kept.set(path, { changedAt: stats.mtimeMs, file });
      return file;
    },
  };
}

function toAppFile(path: string, onDisk: string, bytes: Buffer): AppFile {
  const type = typeOf(path);
  // only beside immutable files, because it would be out of date beside one that has changed
  const precompressed = async () =>
    isPrecompressible(path) ? readFile(onDisk + BROTLI_SUFFIX).catch(() => undefined) : undefined;
  return { path, type, body: encodable(bytes, COMPRESSIBLE.test(type) ? QUALITY : undefined, precompressed) };
}

function typeOf(path: string): string {
  return TYPES[extname(path)] ?? 'application/octet-stream';
}

function addressOf(folder: string, path: string): string {
  return `/${relative(folder, path).replaceAll(sep, '/')}`;
}

/** Resolves a requested path on the disk. Undefined if it leads out of the folder. */
function insidePath(folder: string, asked: string): string | undefined {
  if (asked.includes('\0')) return undefined;
  const path = normalize(join(folder, asked));
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep) ? path : undefined;
}
