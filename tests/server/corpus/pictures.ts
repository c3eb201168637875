import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { type Bytes, bytesOf, cut, flipped, type Specimen, uint32 } from './bytes.ts';

const PNG = '\x89PNG\r\n\x1A\n';

/** Broken, hostile and merely unusual pictures. */
export async function pictureCorpus(): Promise<Specimen[]> {
  const whole = await wholePictures();
  return [
    ...whole,
    ...whole.flatMap(cut),
    ...whole.flatMap((specimen) => flipped(specimen, 40)),
    ...bombs(),
    ...(await jpegBombs()),
    ...polyglots(whole),
    ...(await otherTypes()),
  ];
}

/** Intact pictures with every feature of their types: colours, transparency, palettes, progressive scans, frames. */
async function wholePictures(): Promise<Specimen[]> {
  const photo = sharp(wavesWithGrain(96, 64), { raw: { width: 96, height: 64, channels: 3 } });
  const frames = await Promise.all(
    ['red', 'green', 'blue'].map((background) =>
      sharp({ create: { width: 32, height: 32, channels: 4, background } })
        .png()
        .toBuffer(),
    ),
  );
  const film = sharp(frames, { join: { animated: true } });
  const made: [string, Promise<Buffer>][] = [
    ['a JPEG', photo.clone().jpeg().toBuffer()],
    ['a progressive JPEG', photo.clone().jpeg({ progressive: true }).toBuffer()],
    ['a CMYK JPEG', photo.clone().toColourspace('cmyk').jpeg().toBuffer()],
    ['a grey JPEG', photo.clone().greyscale().jpeg().toBuffer()],
    [
      'a JPEG with metadata',
      photo
        .clone()
        .withExif({ IFD0: { Artist: 'somebody' } })
        .jpeg()
        .toBuffer(),
    ],
    ['a PNG', photo.clone().png().toBuffer()],
    ['an interlaced PNG', photo.clone().png({ progressive: true }).toBuffer()],
    ['a PNG with a palette', photo.clone().png({ palette: true }).toBuffer()],
    ['a PNG of 16 bits', photo.clone().toColourspace('rgb16').png().toBuffer()],
    ['a transparent PNG', photo.clone().ensureAlpha(0.5).png().toBuffer()],
    ['a WebP', photo.clone().webp().toBuffer()],
    ['a WebP without loss', photo.clone().webp({ lossless: true }).toBuffer()],
    ['a WebP with frames', film.clone().webp().toBuffer()],
    ['a GIF', photo.clone().gif().toBuffer()],
    ['a GIF with frames', film.clone().gif().toBuffer()],
  ];
  return Promise.all(made.map(async ([what, bytes]): Promise<Specimen> => [what, bytesOf(await bytes)]));
}

/** Waves with grain. Deterministic. */
function wavesWithGrain(width: number, height: number): Buffer {
  let grain = 1;
  return Buffer.from(
    Array.from({ length: width * height * 3 }, (_, at) => {
      grain = (grain * 48_271) % 2_147_483_647;
      return 128 + 60 * Math.sin(at / 37) + (grain % 50);
    }),
  );
}

function pngChunk(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

/** A PNG of this size with all pixels zero: a few kilobytes that decode to gigabytes. */
function png(width: number, height: number, before: readonly Buffer[] = []): Bytes {
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([1, 0, 0, 0, 0])]);
  const pixels = deflateSync(Buffer.alloc(Math.ceil(width / 8 + 1) * Math.min(height, 4000)));
  return bytesOf(PNG, pngChunk('IHDR', header), ...before, pngChunk('IDAT', pixels), pngChunk('IEND', Buffer.alloc(0)));
}

/** Small files that decode to gigabytes. */
function bombs(): Specimen[] {
  const inflating = deflateSync(Buffer.alloc(100_000_000));
  const huge = Buffer.from([0xff, 0xff, 0xff, 0xff]);
  return [
    ['a PNG of 30,000 x 30,000', png(30_000, 30_000)],
    ['a PNG of 2^31 x 1', png(2_147_483_647, 1)],
    ['a PNG of 0 x 0', png(0, 0)],
    ['a PNG whose colour profile unfolds to 100 MB', png(64, 64, [pngChunk('iCCP', bytesOf('p\0\0', inflating))])],
    ['a PNG whose text unfolds to 100 MB', png(64, 64, [pngChunk('zTXt', bytesOf('t\0\0', inflating))])],
    [
      'a GIF of 65,535 x 65,535',
      bytesOf('GIF89a', huge, '\x80\0\0\0\0\0\xFF\xFF\xFF,\0\0\0\0', huge, '\0\x02\x02D\x01\0;'),
    ],
    ['a GIF of 65,535 x 65,535 with 5,000 frames', gifFrames(huge, 5000)],
    ['a GIF of 2,000 x 2,000 with 5,000 frames', gifFrames(Buffer.from([0xd0, 0x07, 0xd0, 0x07]), 5000)],
    ['a WebP that lies about its length', bytesOf('RIFF\xFF\xFF\xFF\xFFWEBPVP8 ', Buffer.alloc(64))],
    ['a WebP of 16,777,216 x 16,777,216', bytesOf('RIFF\x16\0\0\0WEBPVP8X\x0A\0\0\0\0\0\0\0\xFF\xFF\xFF\xFF\xFF\xFF')],
  ];
}

function gifFrames(size: Buffer, count: number): Bytes {
  const frame = bytesOf('!\xF9\x04\0\0\0\0\0,\0\0\0\0', size, '\0\x02\x02D\x01\0');
  const frames = Array.from({ length: count }, () => frame);
  return bytesOf('GIF89a', size, '\x80\0\0\0\0\0\xFF\xFF\xFF', ...frames, ';');
}

/** JPEGs that are cheap to send and expensive to decode. */
async function jpegBombs(): Promise<Specimen[]> {
  const blank = sharp({ create: { width: 4000, height: 4000, channels: 3, background: 'grey' } });
  const steps = await blank.clone().jpeg({ progressive: true }).toBuffer();
  const lastScan = steps.lastIndexOf(Buffer.from([0xff, 0xda]));
  const scan = steps.subarray(lastScan, -2);
  const lying = Buffer.from(await blank.clone().resize(64).jpeg().toBuffer());
  lying.writeUInt32BE(0xff_dc_ff_dc, lying.indexOf(Buffer.from([0xff, 0xc0])) + 5);
  return [
    ['a JPEG whose last scan comes 500 times', bytesOf(steps.subarray(0, -2), ...Array(500).fill(scan), '\xFF\xD9')],
    ['a JPEG of 64 x 64 that says it is 65,500 x 65,500', bytesOf(lying)],
    ['a JPEG of headers only', bytesOf('\xFF\xD8\xFF\xE0\x00\x10JFIF', Buffer.alloc(4))],
    ['a JPEG of markers only', bytesOf('\xFF\xD8', '\xFF\xE1\x00\x02'.repeat(100_000), '\xFF\xD9')],
  ];
}

/** Files that are valid as two types. */
function polyglots(whole: readonly Specimen[]): Specimen[] {
  const behind = ['<script>alert(1)</script>', '<?php system($_GET["c"]); ?>', 'PK\x03\x04 evil.jar', '%PDF-1.4'];
  return [
    ...whole.flatMap(([what, bytes]) =>
      behind.map((text): Specimen => [`${what} with ${text.slice(0, 5)} behind it`, bytesOf(bytes, text)]),
    ),
    ['a PNG with a script in its text', png(8, 8, [pngChunk('tEXt', bytesOf('a\0<script>alert(1)</script>'))])],
    ['an SVG behind a PNG signature', bytesOf(PNG, '<svg onload="alert(1)"/>')],
    ['HTML behind a GIF signature', bytesOf('GIF89a/*<script>*/=alert(1)//</script>')],
    ['HTML behind a JPEG signature', bytesOf('\xFF\xD8\xFF\xE0<html><script>alert(1)</script>')],
    ['a PDF behind a JPEG signature', bytesOf('\xFF\xD8\xFF\xE0%PDF-1.4')],
  ];
}

/** Types that some image library would open and this server does not. */
async function otherTypes(): Promise<Specimen[]> {
  const small = sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } });
  return [
    ['nothing', bytesOf('')],
    ['an SVG', bytesOf('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['an SVG that reads a file', bytesOf('<?xml version="1.0"?><svg><image href="file:///etc/passwd"/></svg>')],
    ['a BMP', bytesOf('BM', Buffer.alloc(200))],
    ['a TIFF', bytesOf(await small.clone().tiff().toBuffer())],
    ['an AVIF', bytesOf(await small.clone().avif().toBuffer())],
    ['an ImageMagick script', bytesOf('push graphic-context\nfill "url(https://127.0.0.1/|ls)"\npop graphic-context')],
    ['PostScript', bytesOf('%!PS-Adobe-3.0 EPSF-3.0\n(/etc/passwd) run')],
    ['an icon', bytesOf('\0\0\x01\0\x01\0', Buffer.alloc(40))],
    ['a script', bytesOf('#!/bin/sh\nrm -rf /')],
    ['a ZIP', bytesOf('PK\x03\x04', Buffer.alloc(100))],
  ];
}
