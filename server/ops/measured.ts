import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** The size of a file in bytes, and the SHA-256 of its content. */
export interface Measured {
  readonly size: number;
  readonly hash: Buffer;
}

/** Reads a file once, a piece at a time. */
export async function measured(path: string): Promise<Measured> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(piece);
    size += piece.length;
  }
  return { size, hash: hash.digest() };
}
