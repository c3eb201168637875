import { PHOTO_LONGEST_SIDE } from '../../domain/limits.ts';
import { fitWithin, type Size } from './fit.ts';
import { jpegOrientation } from './orientation.ts';
import type { SniffedType } from './sniff.ts';
import { t } from '../../language/t.ts';

/** Lower values show block artefacts around edges. Higher ones add bytes without a visible gain. */
export const JPEG_QUALITY = 0.86;

/**
 * Rotates a photo upright and scales it down to the longest side that is stored. Resolves to undefined if it can stay as it
 * is. Rejects if the browser cannot decode it (HEIC outside Safari, a damaged file).
 */
export async function shrink(blob: Blob, bytes: Uint8Array, type: SniffedType): Promise<Blob | undefined> {
  // Drawing an animated GIF would keep only its first frame.
  if (type === 'image/gif') return undefined;
  const picture = await createImageBitmap(blob, { imageOrientation: 'from-image' });
  try {
    const size = fitWithin(picture, PHOTO_LONGEST_SIDE);
    const turned = type === 'image/jpeg' && jpegOrientation(bytes) !== 1;
    const stays = size.width === picture.width && !turned && type !== 'image/heic';
    return stays ? undefined : await draw(picture, size, type === 'image/png' ? 'image/png' : 'image/jpeg');
  } finally {
    picture.close();
  }
}

async function draw(picture: ImageBitmap, size: Size, type: string): Promise<Blob> {
  const canvas = new OffscreenCanvas(size.width, size.height);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error(t('This browser can’t process images.'));
  // JPEG has no transparency. Without this, transparent areas of a WebP turn black.
  if (type === 'image/jpeg') {
    context.fillStyle = '#fff';
    context.fillRect(0, 0, size.width, size.height);
  }
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, size.width, size.height);
  try {
    return await canvas.convertToBlob({ type, quality: JPEG_QUALITY });
  } finally {
    // WebKit holds a canvas's pixels until the next garbage collection, and counts them against the page.
    canvas.width = 0;
    canvas.height = 0;
  }
}
