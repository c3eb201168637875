import { PHOTO_LONGEST_SIDE } from '../../domain/limits.ts';
import { fitWithin, type Size } from './fit.ts';
import { jpegOrientation } from './orientation.ts';
import type { SniffedType } from './sniff.ts';
import { t } from '../../language/t.ts';

/** Below this a JPEG of a photo shows blocks around edges; above it the bytes buy nothing that is seen. */
export const JPEG_QUALITY = 0.86;

/**
 * Turns a photo upright and makes it fit the longest side that is stored. Answers undefined when the photo can stay as it
 * is. Throws when the browser can't decode it (HEIC outside Safari, a damaged file).
 */
export async function shrink(blob: Blob, bytes: Uint8Array, type: SniffedType): Promise<Blob | undefined> {
  // A GIF may move, and drawing it would keep its first frame only.
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
  // JPEG knows no transparency: without this a cut-out WebP gets a black ground.
  if (type === 'image/jpeg') {
    context.fillStyle = '#fff';
    context.fillRect(0, 0, size.width, size.height);
  }
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, size.width, size.height);
  try {
    return await canvas.convertToBlob({ type, quality: JPEG_QUALITY });
  } finally {
    // WebKit keeps a canvas's pixels until it next collects garbage, and counts them against the page.
    canvas.width = 0;
    canvas.height = 0;
  }
}
