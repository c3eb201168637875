import { uploadAddress } from '../domain/resource.ts';
import { useServerAbilities } from '../stores/server-abilities.ts';

/** Makes the address of an uploaded picture out of its file name and the width it is shown in, in CSS pixels. */
export type ThumbnailAddress = (fileName: string, width: number) => string;

/** How this server is asked for pictures: in the least of its widths that is wide enough, or whole where it has none. */
export function useThumbnailAddress(): ThumbnailAddress {
  const sizes = useServerAbilities(({ imageSizes }) => imageSizes);
  return (fileName, width) => thumbnailAddress(sizes, fileName, width);
}

/** As long as the server was not asked, `sizes` is undefined: one that has no sizes then serves the whole picture. */
export function thumbnailAddress(sizes: readonly number[] | undefined, fileName: string, width: number): string {
  const fit = sizes === undefined ? width : sizes.filter((size) => size >= width).toSorted((a, b) => a - b)[0];
  return fit === undefined ? uploadAddress(fileName) : `${uploadAddress(fileName)}?width=${fit}`;
}
