import { uploadAddress } from '../domain/resource.ts';

/** The address of an uploaded picture no wider than needed. A server without sizes serves the whole picture under it. */
export function thumbnailAddress(fileName: string, width: number): string {
  return `${uploadAddress(fileName)}?width=${width}`;
}
