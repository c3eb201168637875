import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { type Bytes, bytesOf, type Specimen, uint32 } from './bytes.ts';

/** Bytes. Enough to reserve the memory for a row, and quick to make. */
const MOST_UNFOLDED = 4_000_000;

/** A PNG whose header states this shape, with the beginning of its rows. Bits per channel, color type (PNG, 11.2.1), and interlacing as there. */
function pngOf(width: number, height: number, [depth, color, interlace] = [8, 2, 0]): Bytes {
  const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[color as 0] ?? 1;
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([depth, color, 0, 0, interlace])]);
  const pixels = deflateSync(
    Buffer.alloc(Math.min(MOST_UNFOLDED, (Math.ceil((width * channels * depth) / 8) + 1) * height)),
  );
  const chunk = (name: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
  };
  return bytesOf('\x89PNG\r\n\x1A\n', chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0)));
}

/** A GIF with empty frames of this size. */
function gifOf(width: number, height: number, frames: number): Bytes {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(width, 0);
  size.writeUInt16LE(height, 2);
  const frame = bytesOf('!\xF9\x04\0\x0A\0\0\0,\0\0\0\0', size, '\0\x02\x02D\x01\0');
  return bytesOf('GIF89a', size, '\x80\0\0\0\0\0\xFF\xFF\xFF', ...Array<Bytes>(frames).fill(frame), ';');
}

/** A WebP that only states its canvas (VP8X). */
function webpOf(width: number, height: number): Bytes {
  const canvas = Buffer.alloc(6);
  canvas.writeUIntLE(width - 1, 0, 3);
  canvas.writeUIntLE(height - 1, 3, 3);
  return bytesOf('RIFF\x16\0\0\0WEBPVP8X\x0A\0\0\0\0\0\0\0', canvas);
}

/** A JPEG with the frame header of another size: the decoder believes it. */
async function jpegOf(width: number, height: number, progressive = false): Promise<Bytes> {
  const small = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'grey' } })
    .jpeg({ progressive })
    .toBuffer();
  const bytes = Buffer.from(small);
  const at = bytes.indexOf(Buffer.from([0xff, progressive ? 0xc2 : 0xc0]));
  bytes.writeUInt16BE(height, at + 5);
  bytes.writeUInt16BE(width, at + 7);
  return bytesOf(bytes);
}

/** Pictures within the number of pixels, in shapes that cost gigabytes or minutes: each format at the edges of its header. */
export async function shapes(): Promise<Specimen[]> {
  const made: [string, Bytes | Promise<Bytes>][] = [
    ['a PNG of 50,999,999 x 1', pngOf(50_999_999, 1)],
    ['a PNG of 1 x 50,999,999', pngOf(1, 50_999_999)],
    ['a PNG of 50,000,000 x 1 with 16 bits and transparency', pngOf(6_000_000, 8, [16, 6, 0])],
    ['a PNG of 40,000 x 1,000', pngOf(40_000, 1000)],
    ['a PNG of 30,000 x 1,500 with 16 bits and transparency', pngOf(30_000, 1500, [16, 6, 0])],
    ['an interlaced PNG of 25,000,000 x 2', pngOf(25_000_000, 2, [8, 2, 1])],
    ['an interlaced PNG of 7,000 x 7,000', pngOf(7000, 7000, [8, 2, 1])],
    ['a PNG with a palette of 1 bit, 50,000,000 x 1', pngOf(50_000_000, 1, [1, 0, 0])],
    ['a JPEG of 65,500 x 700', jpegOf(65_500, 700)],
    ['a JPEG of 700 x 65,500', jpegOf(700, 65_500)],
    ['a progressive JPEG of 65,500 x 700', jpegOf(65_500, 700, true)],
    ['a progressive JPEG of 8,000 x 6,000', jpegOf(8000, 6000, true)],
    ['a GIF of 65,535 x 700', gifOf(65_535, 700, 1)],
    ['a GIF of 1 x 1 with 20,000 frames', gifOf(1, 1, 20_000)],
    ['a GIF of 60 x 60 with 10,000 frames', gifOf(60, 60, 10_000)],
    ['a WebP of 16,000 x 3,000', webpOf(16_000, 3000)],
    ['a WebP of 16,777,215 x 3', webpOf(16_777_215, 3)],
  ];
  return Promise.all(made.map(async ([what, bytes]): Promise<Specimen> => [what, await bytes]));
}
