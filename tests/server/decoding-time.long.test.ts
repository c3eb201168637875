import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { encodeAnew } from '../../server/uploads/pictures.ts';
import { freshFolder } from './harness.ts';

test('aborts a picture that takes too long to decode', async () => {
  const path = join(await freshFolder(), 'noise');
  const noise = { type: 'gaussian', mean: 128, sigma: 80 } as const;
  const picture = sharp({ create: { width: 6300, height: 6300, channels: 3, background: '#888', noise } });
  await picture.jpeg({ quality: 70 }).toFile(path);
  await expect(encodeAnew(path, 'image/webp', { by: 'somebody' }, 1)).rejects.toThrow('timeout');
});
