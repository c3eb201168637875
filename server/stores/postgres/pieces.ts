import { createReadStream } from 'node:fs';

/** The size of a piece in bytes. */
export const PIECE = 256 * 1024;
/** Pieces per statement. This bounds how much of a file is in memory at once. */
const TOGETHER = 4;

/** A part of a file and its offset in bytes. */
interface Piece {
  readonly at: number;
  readonly bytes: Buffer;
}

/** Reads a file in pieces. Yields as many as fit in one statement. */
export async function* piecesOf(path: string): AsyncGenerator<readonly Piece[]> {
  let end = 0;
  for await (const bytes of createReadStream(path, { highWaterMark: TOGETHER * PIECE }) as AsyncIterable<Buffer>) {
    const pieces: Piece[] = [];
    for (let from = 0; from < bytes.length; from += PIECE)
      pieces.push({ at: end + from, bytes: bytes.subarray(from, from + PIECE) });
    yield pieces;
    end += bytes.length;
  }
}
