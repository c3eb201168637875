import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** The size of a file in bytes, and the SHA-256 of its content. */
export interface Measured {
  readonly size: number;
  readonly hash: Buffer;
}

/** Reads a file once, a piece at a time. */
export async function measured(path: string): Promise<Measured> {
  return measuredBytes(createReadStream(path));
}

/** Reads a stream to its end. Rejects with its error. */
export async function measuredBytes(bytes: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<Measured> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of bytes) {
    hash.update(piece);
    size += piece.length;
  }
  return { size, hash: hash.digest() };
}
