import type { FileType } from '../../src/domain/fields.ts';

/** The types that are decoded. Documents are not. */
export type PictureType = Extract<FileType, `image/${string}`>;

/** True for types that are decoded and re-encoded. */
export function isPicture(type: FileType): type is PictureType {
  return type.startsWith('image/');
}

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
