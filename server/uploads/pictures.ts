import sharp, { type Metadata, type OutputInfo, type Sharp } from 'sharp';
import type { FileType } from '../../src/domain/fields.ts';
import { type Turns, turns } from '../concurrency.ts';

/** Larger pictures are refused before they are decoded: a small file can unfold to gigabytes. The largest cameras make 50 million. */
const MOST_PIXELS = 51_000_000;
/** A picture of more is stored smaller, at this many: 4,000 x 3,000. */
const MOST_STORED_PIXELS = 12_000_000;
/** What decoding may hold at once, in bytes, of pictures that do not come row by row. */
const MOST_HELD = 100_000_000;
const MOST_SECONDS = 10;

/** The types that are decoded; a document is not. */
export type PictureType = Extract<FileType, `image/${string}`>;

/** Decoding takes memory, up to 200 MB for the largest: one at a time keeps the server small. */
const paces = turns(1);

/** Whether somebody waits for it. */
export type Pace = keyof Turns;

sharp.cache(false);
sharp.concurrency(1);

/** True for types that are decoded and encoded anew. */
export function isPicture(type: FileType): type is PictureType {
  return type.startsWith('image/');
}

/** The picture is sound, and takes more memory than this server gives one. */
export class PictureTooLarge extends Error {}

/**
 * Decodes a picture and encodes it anew in its own type: upright, without metadata, without whatever else the file carried, and
 * of 12 megapixels at most. Throws when the file is damaged or takes longer than `mostSeconds`, and PictureTooLarge.
 */
export function encodeAnew(path: string, type: PictureType, mostSeconds = MOST_SECONDS): Promise<Buffer> {
  return paces.soon(async () => {
    const facts = await sharp(path, { limitInputPixels: false, failOn: 'error' }).metadata();
    assertFits(facts);
    const target = storedSize(facts);
    const source = target === undefined ? path : await smallerFirst(path, target, facts);
    return ENCODERS[type](decode(source, type === 'image/gif', mostSeconds)).toBuffer();
  });
}

function assertFits(facts: Metadata): void {
  const pixels = facts.width * facts.height;
  if (pixels > MOST_PIXELS || heldBytes(facts) > MOST_HELD) {
    throw new PictureTooLarge(`A picture of ${facts.width} x ${facts.height} takes too much memory.`);
  }
}

/** Bytes that a decoder has to hold at once: nothing of what comes row by row. */
function heldBytes({
  format,
  width,
  height,
  channels,
  isProgressive,
  depth,
  chromaSubsampling = '',
}: Metadata): number {
  const pixels = width * height;
  // coefficients of 16 bits, of each component, until the last scan
  if (format === 'jpeg') return isProgressive ? pixels * (chromaSubsampling === '4:2:0' ? 1.5 : channels) * 2 : 0;
  if (format === 'png' && !isProgressive) return 0;
  return pixels * channels * (depth === 'ushort' ? 2 : 1);
}

/** Undefined where it is stored as large as it is; films are not made smaller. */
function storedSize({ width, height, pages = 1 }: Metadata): { width: number; height: number } | undefined {
  const scale = Math.sqrt(MOST_STORED_PIXELS / (width * height));
  if (scale >= 1 || pages > 1) return undefined;
  return { width: Math.max(Math.round(width * scale), 1), height: Math.max(Math.round(height * scale), 1) };
}

/** A smaller picture with the same orientation: to turn one it has to be held as a whole, so it is turned afterwards. */
function smallerFirst(path: string, size: { width: number; height: number }, facts: Metadata): Promise<Buffer> {
  const { orientation = 1, format } = facts;
  const smaller = sharp(path, DECODING)
    .timeout({ seconds: MOST_SECONDS })
    .resize({ ...size, fit: 'fill' });
  const kept = smaller.withMetadata({ orientation });
  return (
    format === 'jpeg' ? kept.jpeg({ quality: 95, optimizeCoding: false }) : kept.png({ compressionLevel: 1 })
  ).toBuffer();
}

const ENCODERS: { readonly [T in PictureType]: (picture: Sharp) => Sharp } = {
  // the best coding would hold every coefficient, 80 MB, to save a twentieth
  'image/jpeg': (picture) => picture.jpeg({ quality: 90, optimizeCoding: false }),
  'image/png': (picture) => picture.png(),
  'image/webp': (picture) => picture.webp({ quality: 90 }),
  'image/gif': (picture) => picture.gif(),
};

/** Widths at which a picture is also served, in pixels: thumbnails, the slides' and forms' pictures, and a large view. */
export const PICTURE_WIDTHS = [100, 300, 1200] as const;
export type PictureWidth = (typeof PICTURE_WIDTHS)[number];

/** What smaller pictures are encoded as: what the browser takes, the smaller first. */
export const SIZE_FORMATS = ['avif', 'webp'] as const;
export type SizeFormat = (typeof SIZE_FORMATS)[number];

/** One of the smaller pictures made of a picture. */
export interface Size {
  readonly width: PictureWidth;
  readonly format: SizeFormat;
}

/** Every size there is. */
export const SIZES: readonly Size[] = PICTURE_WIDTHS.flatMap((width) =>
  SIZE_FORMATS.map((format) => ({ width, format })),
);

/** A decoded picture. */
interface Pixels {
  readonly data: Buffer;
  readonly raw: Pick<OutputInfo, 'width' | 'height' | 'channels'>;
}

/** A list loads hundreds of thumbnails over links of 1.6 Mbit/s: 25 of this weight in a second. */
const THUMBNAIL_BYTES = 8000;
const THUMBNAIL_WIDTH = PICTURE_WIDTHS[0];

/** Heights are bounded too, in widths: no format takes a strip of any length, and a row of a list has no room for one. */
const TALLEST = 4;
const TALLEST_THUMBNAIL = 2;

/** From good to least, for thumbnails that are too heavy: noise and gravel do not compress. */
const QUALITIES: { readonly [F in SizeFormat]: readonly number[] } = {
  avif: [55, 40, 25, 10, 1],
  webp: [80, 60, 40, 20, 10, 1],
};

/**
 * The smaller pictures of one, in the order asked for. The file is decoded once, no larger than the largest of them. A picture
 * is never made wider than it is. Throws when the file is missing or damaged.
 */
export async function* smallerPictures(
  path: string,
  sizes: readonly Size[],
  pace: Pace,
): AsyncGenerator<readonly [Size, Buffer]> {
  const largest = Math.max(...sizes.map((size) => size.width));
  const pixels = await paces[pace](() => pixelsOf(path, largest));
  for (const size of sizes) yield [size, await paces[pace](() => encodeSmaller(pixels, size))];
}

async function pixelsOf(path: string, width: number): Promise<Pixels> {
  const { data, info } = await within(decode(path, false), width)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data, raw: { width: info.width, height: info.height, channels: info.channels } };
}

/** Of thumbnails the best that is light enough, of others the first quality. */
async function encodeSmaller({ data, raw }: Pixels, { width, format }: Size): Promise<Buffer> {
  const smaller = within(sharp(data, { raw }), width);
  const mostBytes = width === THUMBNAIL_WIDTH ? THUMBNAIL_BYTES : Number.POSITIVE_INFINITY;
  let bytes = Buffer.alloc(0);
  for (const quality of QUALITIES[format]) {
    bytes = await encodeAs(smaller.clone(), { width, format }, quality).toBuffer();
    if (bytes.length <= mostBytes) break;
  }
  return bytes;
}

/** Small ones are encoded with care; of large ones the last steps would cost half a second and save a tenth. */
function encodeAs(picture: Sharp, { width, format }: Size, quality: number): Sharp {
  const isSmall = width <= 300;
  if (format === 'avif') return picture.avif({ quality, effort: isSmall ? 2 : 0 });
  return picture.webp({ quality, alphaQuality: quality, effort: isSmall ? 4 : 2 });
}

function within(picture: Sharp, width: number): Sharp {
  const height = width * (width === THUMBNAIL_WIDTH ? TALLEST_THUMBNAIL : TALLEST);
  return picture.resize({ width, height, fit: 'inside', withoutEnlargement: true });
}

const DECODING = { limitInputPixels: MOST_PIXELS, failOn: 'error', sequentialRead: true } as const;

function decode(source: string | Buffer, animated: boolean, mostSeconds = MOST_SECONDS): Sharp {
  return sharp(source, { ...DECODING, animated })
    .timeout({ seconds: mostSeconds })
    .autoOrient();
}
