import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

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

interface Encoded {
  readonly encoding: 'br' | 'gzip' | undefined;
  readonly bytes: Buffer;
}

/** One file of the built app. */
export interface AppFile {
  /** As in its address, with a leading slash. */
  readonly path: string;
  readonly type: string;
  readonly etag: string;
  /** Its bytes in the best encoding that an `Accept-Encoding` header allows. Compressed once. */
  encodedFor(accepted: string): Promise<Encoded>;
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

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
  const encodings = new Map<string, Promise<Buffer>>();
  const once = (name: string, encode: () => Promise<Buffer>) => {
    const running = encodings.get(name) ?? encode();
    encodings.set(name, running);
    return running;
  };
  return {
    path,
    type,
    etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    async encodedFor(accepted) {
      if (!COMPRESSIBLE.test(type)) return { encoding: undefined, bytes };
      if (/\bbr\b/.test(accepted)) return { encoding: 'br', bytes: await once('br', () => brotli(bytes, BROTLI)) };
      if (/\bgzip\b/.test(accepted)) return { encoding: 'gzip', bytes: await once('gzip', () => zip(bytes)) };
      return { encoding: undefined, bytes };
    },
  };
}

/** The last steps above this cost seconds and save next to nothing. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

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
