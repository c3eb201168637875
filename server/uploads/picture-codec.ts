import sharp, { type Metadata, type OutputInfo, type Sharp } from 'sharp';
import { PictureTooLarge } from './picture-fault.ts';
import { PICTURE_WIDTHS, type PictureType, type Size, type SizeFormat } from './picture-sizes.ts';

/**
 * Larger pictures are refused before decoding: a small file can expand to gigabytes. The largest cameras produce 50 million
 * pixels.
 */
const MOST_PIXELS = 51_000_000;
/** The longest panoramas of telephones have 16,000 pixels. Decoders hold several rows at once, each as long as a side. */
const MOST_SIDE = 30_000;
/** Maximum bytes of one decoded row. */
const MOST_ROW = 128 * 1024;
/** Every frame of an animation costs time before the first pixel is known. */
const MOST_FRAMES = 1000;
/** Larger pictures are scaled down to this many pixels: 4,000 x 3,000. */
const MOST_STORED_PIXELS = 12_000_000;
/** Maximum memory for decoding pictures that cannot be decoded row by row. Bytes. */
const MOST_HELD = 100_000_000;
const MOST_SECONDS = 10;

sharp.cache(false);
sharp.concurrency(1);

/**
 * Decodes a picture and re-encodes it in its own type: upright, without metadata or anything else the file carried, and of
 * 12 megapixels at most. Throws if the file is damaged or takes longer than `mostSeconds`, and PictureTooLarge.
 */
export async function encodeAnew(path: string, type: PictureType, mostSeconds = MOST_SECONDS): Promise<Buffer> {
  const facts = await sharp(path, { limitInputPixels: false, failOn: 'error' }).metadata();
  assertFits(facts);
  const target = storedSize(facts);
  const source = target === undefined ? path : await smallerFirst(path, target, facts);
  return ENCODERS[type](decode(source, type === 'image/gif', mostSeconds)).toBuffer();
}

/** Throws PictureTooLarge, by what the file's header says and before anything is decoded. */
function assertFits(facts: Metadata): void {
  const { width, height, pages = 1 } = facts;
  const fits =
    Math.max(width, height) <= MOST_SIDE &&
    width * pixelBytes(facts) <= MOST_ROW &&
    pages <= MOST_FRAMES &&
    width * height * framesOf(facts) <= MOST_PIXELS &&
    heldBytes(facts) <= MOST_HELD;
  if (!fits) throw new PictureTooLarge(`A picture of ${width} x ${height} takes too much memory.`);
}

/** Bytes of one decoded pixel. */
function pixelBytes({ channels, depth }: Metadata): number {
  return channels * (depth === 'ushort' ? 2 : 1);
}

/** The number of pictures that are decoded from a file. Only a GIF keeps its animation. */
function framesOf({ format, pages = 1 }: Metadata): number {
  return format === 'gif' ? pages : 1;
}

/** Bytes that a decoder must hold at once. 0 for pictures that are decoded row by row. */
function heldBytes(facts: Metadata): number {
  const { format, width, height, channels, isProgressive, chromaSubsampling = '' } = facts;
  const pixels = width * height;
  // 16-bit coefficients of each component, until the last scan
  if (format === 'jpeg') return isProgressive ? pixels * (chromaSubsampling === '4:2:0' ? 1.5 : channels) * 2 : 0;
  if (format === 'png' && !isProgressive) return 0;
  return pixels * pixelBytes(facts);
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

/** A decoded picture. */
export interface Pixels {
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

/** Decodes a picture no wider than `width`. Never enlarges it. Throws if the file is missing or damaged. */
export async function pixelsOf(path: string, width: number): Promise<Pixels> {
  const { data, info } = await within(decode(path, false), width)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data, raw: { width: info.width, height: info.height, channels: info.channels } };
}

/** Encodes thumbnails at the best quality within the size limit, others at the first quality. */
export async function encodeSmaller({ data, raw }: Pixels, { width, format }: Size): Promise<Buffer> {
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
