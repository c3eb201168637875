import sharp from 'sharp';
import { encode } from 'uqr';

/** Returns a photo of a label with this code. */
export async function labelWith(text: string) {
  const { size, data } = encode(text, { border: 4 });
  const dots = Buffer.from(data.flatMap((row) => row.map((dark) => (dark ? 0 : 255))));
  const picture = sharp(dots, { raw: { width: size, height: size, channels: 1 } });
  const buffer = await picture
    .resize(size * 8, size * 8, { kernel: 'nearest' })
    .png()
    .toBuffer();
  return { name: 'label.png', mimeType: 'image/png', buffer };
}
