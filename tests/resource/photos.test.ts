import { describe, expect, test } from 'vitest';
import { fitWithin } from '../../src/fields/photos/fit.ts';
import { sha256 } from '../../src/fields/photos/hash.ts';
import { jpegOrientation } from '../../src/fields/photos/orientation.ts';
import { sniffType } from '../../src/fields/photos/sniff.ts';

const bytes = (...parts: readonly (string | readonly number[])[]) =>
  new Uint8Array(parts.flatMap((part) => (typeof part === 'string' ? [...part].map((c) => c.charCodeAt(0)) : part)));

describe('the type of a file', () => {
  test.each([
    ['a JPEG', bytes([0xff, 0xd8, 0xff, 0xe0]), 'x', 'image/jpeg'],
    ['a PNG', bytes([0x89], 'PNG\r\n'), 'x', 'image/png'],
    ['a GIF', bytes('GIF89a'), 'x', 'image/gif'],
    ['a WebP', bytes('RIFF', [1, 2, 3, 4], 'WEBP'), 'x', 'image/webp'],
    ['a sound in the container of a WebP', bytes('RIFF', [1, 2, 3, 4], 'WAVE'), 'x.webp', undefined],
    ['a HEIF photo of another camera', bytes([0, 0, 0, 24], 'ftypmif1'), 'x', 'image/heic'],
    [
      'a Word document',
      bytes('PK', [3, 4]),
      'A.DOCX',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
    ['a ZIP file', bytes('PK', [3, 4]), 'a.zip', undefined],
    ['a burst of photos', bytes([0, 0, 0, 24], 'ftyphevc'), 'x', 'image/heic'],
    ['a sequence of photos', bytes([0, 0, 0, 24], 'ftypmsf1'), 'x', 'image/heic'],
    ['an iPhone photo', bytes([0, 0, 0, 24], 'ftypheic'), 'IMG_1.jpg', 'image/heic'],
    ['a PDF', bytes('%PDF-1.7'), 'x', 'application/pdf'],
    ['an old Word document', bytes([0xd0, 0xcf, 0x11, 0xe0]), 'a.DOC', 'application/msword'],
    ['a spreadsheet in the same container', bytes([0xd0, 0xcf, 0x11, 0xe0]), 'a.xls', undefined],
    ['a video', bytes([0, 0, 0, 24], 'ftypmp42'), 'a.jpg', undefined],
    ['a text that calls itself a picture', bytes('hello'), 'a.png', undefined],
    ['nothing', bytes(), 'a.png', undefined],
  ])('is detected from its bytes: %s', (_, content, name, type) => {
    expect(sniffType(content, name)).toBe(type);
  });
});

describe('the orientation of a photo', () => {
  /** A JPEG's start with an EXIF block that holds one entry. */
  function exif(orientation: number, littleEndian: boolean): Uint8Array {
    const view = new DataView(new ArrayBuffer(40));
    view.setUint32(0, 0xffd8ffe1);
    view.setUint16(4, 34);
    view.setUint32(6, 0x45786966);
    view.setUint16(12, littleEndian ? 0x4949 : 0x4d4d);
    view.setUint16(14, 42, littleEndian);
    view.setUint32(16, 8, littleEndian);
    view.setUint16(20, 1, littleEndian);
    view.setUint16(22, 0x0112, littleEndian);
    view.setUint16(24, 3, littleEndian);
    view.setUint32(26, 1, littleEndian);
    view.setUint16(30, orientation, littleEndian);
    return new Uint8Array(view.buffer);
  }

  test('is read in either byte order', () => {
    expect(jpegOrientation(exif(6, true))).toBe(6);
    expect(jpegOrientation(exif(8, false))).toBe(8);
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8])
      expect(jpegOrientation(exif(orientation, true))).toBe(orientation);
  });

  test('is found after blocks that other programs and cameras put first', () => {
    const block = (marker: number, ...content: number[]) => [0xff, marker, 0, content.length + 2, ...content];
    const jfif = block(0xe0, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0);
    const xmp = block(0xe1, 0x68, 0x74, 0x74, 0x70, 0x3a, 0x2f, 0x2f);
    const rest = [...exif(6, true).subarray(2)];
    expect(jpegOrientation(bytes([0xff, 0xd8, ...jfif, ...xmp, ...rest]))).toBe(6);
  });

  test('is upright if it is missing, invalid or cut off', () => {
    expect(jpegOrientation(bytes([0xff, 0xd8, 0xff, 0xda, 0, 2]))).toBe(1);
    expect(jpegOrientation(exif(77, true))).toBe(1);
    const inPicture = [0xff, 0xd8, 0xff, 0xda, 0, 2, ...exif(6, true).subarray(2)];
    expect(jpegOrientation(bytes(inPicture))).toBe(1);
    expect(jpegOrientation(exif(6, true).subarray(0, 23))).toBe(1);
  });
});

test('a picture is made to fit its longest side, in proportion, and never larger', () => {
  expect(fitWithin({ width: 4000, height: 3000 }, 2560)).toEqual({ width: 2560, height: 1920 });
  expect(fitWithin({ width: 1000, height: 5120 }, 2560)).toEqual({ width: 500, height: 2560 });
  // a canvas needs at least one pixel
  expect(fitWithin({ width: 9000, height: 1 }, 1000)).toEqual({ width: 1000, height: 1 });
  expect(fitWithin({ width: 1, height: 9000 }, 1000)).toEqual({ width: 1, height: 1000 });
  expect(fitWithin({ width: 800, height: 600 }, 2560)).toEqual({ width: 800, height: 600 });
});

test('identifies files by the SHA-256 hash of their bytes', async () => {
  const digest = await sha256(bytes('abc').buffer as ArrayBuffer);
  expect(digest).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
