import sharp, { type Sharp } from 'sharp';
import type { FileType } from '../../src/domain/fields.ts';
import { limited } from '../limited.ts';

/** Larger pictures are refused before they are decoded: a small file can unfold to gigabytes. */
const MOST_PIXELS = 40_000_000;
const MOST_SECONDS = 10;

/** The types that are decoded; a document is not. */
export type PictureType = Extract<FileType, `image/${string}`>;

/** Widths at which a picture is also served, in pixels: the thumbnails of lists, those of sliders, and a preview. */
export const PICTURE_WIDTHS = [100, 300, 1200] as const;
export type PictureWidth = (typeof PICTURE_WIDTHS)[number];

/** Decoding takes memory and both cores: more than two at once only make each other slower. */
const inTurn = limited(2);

sharp.cache(false);
sharp.concurrency(1);

/** True for types that are decoded and encoded anew. */
export function isPicture(type: FileType): type is PictureType {
  return type.startsWith('image/');
}

/**
 * Decodes a picture and encodes it anew in its own type: upright, without metadata, and without whatever else the file
 * carried. Throws when the file is damaged, unfolds to more than 40 megapixels or takes longer than 10 seconds.
 */
export function encodeAnew(path: string, type: PictureType): Promise<Buffer> {
  return inTurn(() => ENCODERS[type](decode(path, type === 'image/gif')).toBuffer());
}

/** A picture at most `width` pixels wide as WebP or AVIF. */
export function resized(path: string, width: PictureWidth, format: 'webp' | 'avif'): Promise<Buffer> {
  return inTurn(() => {
    const smaller = decode(path, false).resize({ width, withoutEnlargement: true });
    return (format === 'avif' ? smaller.avif({ quality: 55, effort: 2 }) : smaller.webp({ quality: 80 })).toBuffer();
  });
}

const ENCODERS: { readonly [T in PictureType]: (picture: Sharp) => Sharp } = {
  'image/jpeg': (picture) => picture.jpeg({ quality: 90 }),
  'image/png': (picture) => picture.png(),
  'image/webp': (picture) => picture.webp({ quality: 90 }),
  'image/gif': (picture) => picture.gif(),
};

function decode(path: string, animated: boolean): Sharp {
  return sharp(path, { limitInputPixels: MOST_PIXELS, failOn: 'error', animated, sequentialRead: true })
    .timeout({ seconds: MOST_SECONDS })
    .autoOrient();
}
