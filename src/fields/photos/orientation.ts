const UPRIGHT = 1;
const START_OF_SCAN = 0xda;
const APP1 = 0xe1;
const ORIENTATION_TAG = 0x0112;

/**
 * Returns the orientation in a JPEG's EXIF block: 1 is upright, 2 to 8 are rotated or mirrored (EXIF 2.32, 4.6.4). A photo
 * without EXIF, or with a broken block, counts as upright.
 */
export function jpegOrientation(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const tiff = findTiff(view);
    return tiff === undefined ? UPRIGHT : readOrientation(view, tiff);
  } catch (error) {
    // The block points past the end of the file. The picture itself may be fine.
    if (error instanceof RangeError) return UPRIGHT;
    throw error;
  }
}

/** Returns the offset of the TIFF header in the EXIF block. */
function findTiff(view: DataView): number | undefined {
  let at = 2;
  while (at + 4 <= view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (marker === START_OF_SCAN) return undefined;
    if (marker === APP1 && view.getUint32(at + 4) === 0x45786966) return at + 10;
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function readOrientation(view: DataView, tiff: number): number {
  const littleEndian = view.getUint16(tiff) === 0x4949;
  const directory = tiff + view.getUint32(tiff + 4, littleEndian);
  const count = view.getUint16(directory, littleEndian);
  for (let index = 0; index < count; index += 1) {
    const entry = directory + 2 + index * 12;
    if (view.getUint16(entry, littleEndian) !== ORIENTATION_TAG) continue;
    const orientation = view.getUint16(entry + 8, littleEndian);
    return orientation >= 1 && orientation <= 8 ? orientation : UPRIGHT;
  }
  return UPRIGHT;
}
