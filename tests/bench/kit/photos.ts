import sharp from 'sharp';

const WIDTH = 2560;
const HEIGHT = 1920;

/** Coarse patches with grain: detail at every scale, as in a photo, so that no thumbnail is a plain area. */
const PATCHES = { divisor: 40, sigma: 55 };
const GRAIN = { divisor: 2, sigma: 26 };

function noise({ divisor, sigma }: typeof GRAIN, mean: number) {
  const width = WIDTH / divisor;
  const height = HEIGHT / divisor;
  const options = { channels: 3, background: 'grey', noise: { type: 'gaussian', mean, sigma } } as const;
  return sharp({ create: { width, height, ...options } }).resize(WIDTH, HEIGHT);
}

/** A JPEG with the dimensions and size (about 2 MB) of a tablet's photo after the app resized it. Each is unique. */
export async function photo(): Promise<Buffer> {
  const grain = await noise(GRAIN, 128).png({ compressionLevel: 1 }).toBuffer();
  const patches = await noise(PATCHES, 120).png({ compressionLevel: 1 }).toBuffer();
  return sharp(patches)
    .composite([{ input: grain, blend: 'soft-light' }])
    .jpeg({ quality: 92 })
    .toBuffer();
}
