import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** An encoded body. */
export interface Encoded {
  readonly encoding: 'br' | 'gzip' | undefined;
  readonly bytes: Buffer;
}

/** A reusable body. Each encoding is created once, on first use. */
export interface Encodable {
  /** The body without an encoding. */
  readonly bytes: Buffer;
  /** Weak, because it covers every encoding of the same content. */
  readonly etag: string;
  /** The encoding that `encodedFor` would choose. */
  encodingFor(accepted: string): Encoded['encoding'];
  /** Returns the best encoding that an `Accept-Encoding` header allows. */
  encodedFor(accepted: string): Promise<Encoded>;
}

/** Smaller bodies gain nothing from compression. Bytes. */
export const LEAST_BYTES = 1024;

const brotliWith = promisify(brotliCompress);
const zip = promisify(gzip);

/** Compresses bytes with a Brotli quality of 0 to 11. */
export function brotli(bytes: Buffer, quality: number): Promise<Buffer> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return brotliWith(bytes, { params });
}

/**
 * Wraps bytes that are compressed with a Brotli quality of 0 to 11, or never (undefined). `precompressed` returns their Brotli
 * form if it already exists.
 */
export function encodable(
  bytes: Buffer,
  quality: number | undefined,
  precompressed: () => Promise<Buffer | undefined> = async () => undefined,
): Encodable {
  const made = new Map<string, Promise<Buffer>>();
  const once = (name: string, make: () => Promise<Buffer>) => {
    const running = made.get(name) ?? make();
    made.set(name, running);
    return running;
  };
  const compressed = async (encoding: 'br' | 'gzip', make: () => Promise<Buffer>): Promise<Encoded> => ({
    encoding,
    bytes: await once(encoding, make),
  });
  let etag: string | undefined;
  const encodingFor = (accepted: string): Encoded['encoding'] => {
    if (quality === undefined || bytes.length < LEAST_BYTES) return undefined;
    if (/\bbr\b/.test(accepted)) return 'br';
    return /\bgzip\b/.test(accepted) ? 'gzip' : undefined;
  };
  return {
    bytes,
    // computed on demand: records use their version instead
    get etag() {
      etag ??= `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
      return etag;
    },
    encodingFor,
    encodedFor: async (accepted) => {
      const encoding = encodingFor(accepted);
      if (encoding === undefined) return { encoding, bytes };
      if (encoding === 'gzip') return compressed('gzip', () => zip(bytes));
      return compressed('br', async () => (await precompressed()) ?? brotli(bytes, quality ?? 0));
    },
  };
}
