import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync, crc32 } from 'node:zlib';
import sharp from 'sharp';

/** A file for an `<input type="file">`, in Playwright's format, with the SHA-256 of its bytes. */
export interface SampleFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
  readonly sha256: string;
}

/** A JPEG of one colour, distinct by `seed`. */
export async function jpeg(name: string, seed: number, width = 320, height = 240): Promise<SampleFile> {
  const image = sharp({ create: { width, height, channels: 3, background: colour(seed) } });
  return sample(name, 'image/jpeg', await image.jpeg().toBuffer());
}

/** A JPEG like a camera's: 12 megapixels, with grain that makes it several megabytes. */
export async function camera(name: string, seed: number): Promise<SampleFile> {
  const grain = { type: 'gaussian', mean: 120, sigma: 30 } as const;
  const picture = sharp({ create: { width: 4000, height: 3000, channels: 3, background: colour(seed), noise: grain } });
  return sample(name, 'image/jpeg', await picture.jpeg().toBuffer());
}

/**
 * A PNG of noise with about `bytes` bytes: a real picture that does not compress. It has few pixels, so nobody shrinks it.
 */
export function png(name: string, seed: number, bytes = 2000): SampleFile {
  const width = Math.min(1200, Math.max(8, Math.ceil(Math.sqrt(bytes / 3))));
  const height = Math.max(8, Math.ceil(bytes / 3 / width));
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.concat([Buffer.of(0), noise(seed * 7919 + y, width * 3)]),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const body = deflateSync(Buffer.concat(rows), { level: 0 });
  const signature = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  const chunks = [chunk('IHDR', header), chunk('IDAT', body), chunk('IEND', Buffer.alloc(0))];
  return sample(name, 'image/png', Buffer.concat([signature, ...chunks]));
}

/** A PDF of one empty page, padded with a comment to about `bytes` bytes. */
export function pdf(name: string, seed: number, bytes = 1000): SampleFile {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] >>',
  ];
  const padding = noise(seed, Math.max(0, bytes - 500))
    .toString('hex')
    .slice(0, Math.max(0, bytes - 500));
  let text = `%PDF-1.4\n%${seed} ${padding}\n`;
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = text.length;
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 4\n0000000000 65535 f \n${table}trailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return sample(name, 'application/pdf', Buffer.from(text, 'latin1'));
}

/** A file whose type no field accepts. */
export function plainText(name: string, text: string): SampleFile {
  return sample(name, 'text/plain', Buffer.from(text));
}

/** A GIF above the size limit of photos. An app that shrinks photos leaves GIFs alone, since they may be animated. */
export function hugeGif(name: string): SampleFile {
  const pixel = Buffer.from('R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=', 'base64');
  return sample(name, 'image/gif', Buffer.concat([pixel, Buffer.alloc(11 * 1024 * 1024)]));
}

let folder: string | undefined;

/** Writes a file to disk, where a browser can pick it, and returns its path. */
export function onDisk({ name, buffer, sha256 }: SampleFile): string {
  folder ??= mkdtempSync(join(tmpdir(), 'voltdesk-files-'));
  const place = join(folder, sha256.slice(0, 16));
  mkdirSync(place, { recursive: true });
  const path = join(place, name);
  writeFileSync(path, buffer);
  return path;
}

function sample(name: string, mimeType: string, buffer: Buffer): SampleFile {
  return { name, mimeType, buffer, sha256: createHash('sha256').update(buffer).digest('hex') };
}

function colour(seed: number): { r: number; g: number; b: number } {
  const [r = 0, g = 0, b = 0] = noise(seed, 3);
  return { r, g, b };
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

/** Random-looking bytes that repeat for the same seed (xorshift32). */
function noise(seed: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = (seed + 1) * 2_654_435_761 || 1;
  for (let i = 0; i < length; i += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[i] = state & 0xff;
  }
  return bytes;
}
