import sharp, { type Metadata, type OutputInfo, type Sharp } from 'sharp';
import type { FileType } from '../../src/domain/fields.ts';
import { type Turns, turns } from '../concurrency.ts';

/**
 * Larger pictures are refused before decoding: a small file can expand to gigabytes. The largest cameras produce 50 million
 * pixels.
 */
const MOST_PIXELS = 51_000_000;
/** Larger pictures are scaled down to this many pixels: 4,000 x 3,000. */
const MOST_STORED_PIXELS = 12_000_000;
/** Maximum memory for decoding pictures that cannot be decoded row by row. Bytes. */
const MOST_HELD = 100_000_000;
const MOST_SECONDS = 10;

/** The types that are decoded. Documents are not. */
export type PictureType = Extract<FileType, `image/${string}`>;

/** Decoding takes up to 200 MB of memory for the largest pictures. One at a time keeps the server small. */
const paces = turns(1);

/** The priority: whether someone is waiting for the result. */
export type Pace = keyof Turns;

sharp.cache(false);
sharp.concurrency(1);

/** True for types that are decoded and re-encoded. */
export function isPicture(type: FileType): type is PictureType {
  return type.startsWith('image/');
}

/** The picture is valid, but needs more memory than this server allows for one. */
export class PictureTooLarge extends Error {}

/**
 * Decodes a picture and re-encodes it in its own type: upright, without metadata or anything else the file carried, and of
 * 12 megapixels at most. Throws if the file is damaged or takes longer than `mostSeconds`, and PictureTooLarge.
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
  const pixels = facts.width * facts.height * framesOf(facts);
  if (pixels > MOST_PIXELS || heldBytes(facts) > MOST_HELD) {
    throw new PictureTooLarge(`A picture of ${facts.width} x ${facts.height} takes too much memory.`);
  }
}

/** The number of pictures that are decoded from a file. Only a GIF keeps its animation. */
function framesOf({ format, pages = 1 }: Metadata): number {
  return format === 'gif' ? pages : 1;
}

/** Bytes that a decoder must hold at once. 0 for pictures that are decoded row by row. */
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
  // 16-bit coefficients of each component, until the last scan
  if (format === 'jpeg') return isProgressive ? pixels * (chromaSubsampling === '4:2:0' ? 1.5 : channels) * 2 : 0;
  if (format === 'png' && !isProgressive) return 0;
  return pixels * channels * (depth === 'ushort' ? 2 : 1);
}

/** The size to store. Undefined to keep the original size. Animations are not scaled down. */
function storedSize({ width, height, pages = 1 }: Metadata): { width: number; height: number } | undefined {
  const scale = Math.sqrt(MOST_STORED_PIXELS / (width * height));
  if (scale >= 1 || pages > 1) return undefined;
  return { width: Math.max(Math.round(width * scale), 1), height: Math.max(Math.round(height * scale), 1) };
}

/** Scales a picture down and keeps its orientation. Rotating requires all of it in memory, so it is rotated afterwards. */
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
  // optimal coding would hold every coefficient, 80 MB, to save 5%
  'image/jpeg': (picture) => picture.jpeg({ quality: 90, optimizeCoding: false }),
  'image/png': (picture) => picture.png(),
  'image/webp': (picture) => picture.webp({ quality: 90 }),
  'image/gif': (picture) => picture.gif(),
};

/** Widths at which a picture is also served, in pixels: thumbnails, the pictures of slides and forms, and a large view. */
export const PICTURE_WIDTHS = [100, 300, 1200] as const;
export type PictureWidth = (typeof PICTURE_WIDTHS)[number];

/** Formats of smaller pictures, the smaller first. The browser's support decides. */
export const SIZE_FORMATS = ['avif', 'webp'] as const;
export type SizeFormat = (typeof SIZE_FORMATS)[number];

/** One of the smaller versions of a picture. */
export interface Size {
  readonly width: PictureWidth;
  readonly format: SizeFormat;
}

/** All sizes. */
export const SIZES: readonly Size[] = PICTURE_WIDTHS.flatMap((width) =>
  SIZE_FORMATS.map((format) => ({ width, format })),
);

/** A decoded picture. */
interface Pixels {
  readonly data: Buffer;
  readonly raw: Pick<OutputInfo, 'width' | 'height' | 'channels'>;
}

/** A list loads hundreds of thumbnails over links of 1.6 Mbit/s, which carry 25 of this size per second. */
const THUMBNAIL_BYTES = 8000;
const THUMBNAIL_WIDTH = PICTURE_WIDTHS[0];

/** Maximum heights in widths: no format takes strips of any length, and a list row has no space for them. */
const TALLEST = 4;
const TALLEST_THUMBNAIL = 2;

/** Qualities from best to worst, for thumbnails that are too large: noise and gravel do not compress. */
const QUALITIES: { readonly [F in SizeFormat]: readonly number[] } = {
  avif: [55, 40, 25, 10, 1],
  webp: [80, 60, 40, 20, 10, 1],
};

/**
 * Yields the smaller versions of a picture in the requested order. Decodes the file once, no larger than the largest of
 * them. Never enlarges a picture. Throws if the file is missing or damaged.
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

/** Encodes thumbnails at the best quality within the size limit, others at the first quality. */
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

/** Encodes small pictures with more effort. For large ones it would cost half a second to save a tenth. */
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
