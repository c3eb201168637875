import { type Turns, turns, type Wanted } from '../concurrency/concurrency.ts';
import { PictureProcess } from './picture-process.ts';
import type { PictureType, Size } from './picture-sizes.ts';

/** Decoding takes up to 250 MB of memory for the largest pictures. One at a time keeps the server small. */
const AT_ONCE = 1;

const paces: Turns = turns(AT_ONCE);
const decoder = new PictureProcess();

/**
 * Decodes a picture and re-encodes it in its own type: upright, without metadata or anything else the file carried, and of
 * 12 megapixels at most. Throws PictureFault (also after `mostSeconds`), PictureTooLarge, a Refusal (429) if too many
 * pictures wait, and the signal's reason once nobody wants it any more.
 */
export function encodeAnew(path: string, type: PictureType, wanted: Wanted, mostSeconds?: number): Promise<Buffer> {
  return paces.soon(wanted, () => decoder.run('encodeAnew', [path, type, mostSeconds], wanted.signal));
}

/**
 * Yields the smaller versions of a picture in the requested order. Decodes the file once, no larger than the largest of
 * them. Never enlarges a picture. Without `wanted`, it works only while nothing else is to be done. Throws as `encodeAnew`.
 */
export async function* smallerPictures(
  path: string,
  sizes: readonly Size[],
  wanted?: Wanted,
): AsyncGenerator<readonly [Size, Buffer]> {
  const inTurn = <T>(task: () => Promise<T>) =>
    wanted === undefined ? paces.whenIdle(task) : paces.soon(wanted, task);
  const largest = Math.max(...sizes.map((size) => size.width));
  const pixels = await inTurn(() => decoder.run('pixelsOf', [path, largest], wanted?.signal));
  for (const size of sizes)
    yield [size, await inTurn(() => decoder.run('encodeSmaller', [pixels, size], wanted?.signal))];
}
