import { uploadAddress } from '../domain/resource.ts';
import { useServerAbilities } from '../stores/server-abilities.ts';

/** Builds the URL of an uploaded picture from its file name and display width in CSS pixels. */
export type ThumbnailAddress = (fileName: string, width: number) => string;

/** Requests pictures in the smallest sufficient width that the server offers, or in full size if it offers none. */
export function useThumbnailAddress(): ThumbnailAddress {
  const sizes = useServerAbilities(({ imageSizes }) => imageSizes);
  return (fileName, width) => thumbnailAddress(sizes, fileName, width);
}

/** `sizes` is undefined until the server's widths are known. A server without widths then serves the full picture. */
export function thumbnailAddress(sizes: readonly number[] | undefined, fileName: string, width: number): string {
  const fit = sizes === undefined ? width : sizes.filter((size) => size >= width).toSorted((a, b) => a - b)[0];
  return fit === undefined ? uploadAddress(fileName) : `${uploadAddress(fileName)}?width=${fit}`;
}
