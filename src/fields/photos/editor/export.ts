import { JPEG_QUALITY } from '../shrink.ts';
import { drawEdited } from './draw.ts';
import type { Edit } from './edits.ts';

/** Returns the edited photo as a file. A PNG stays a PNG; everything else becomes a JPEG. */
export async function exported(photo: ImageBitmap, edits: readonly Edit[], type: string): Promise<Blob> {
  const canvas = new OffscreenCanvas(1, 1);
  drawEdited(photo, edits, canvas);
  const kept = type === 'image/png' ? type : 'image/jpeg';
  return canvas.convertToBlob({ type: kept, quality: JPEG_QUALITY });
}
