import sharp from 'sharp';
import { routesOf } from '../../../src/domain/resource.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { GENERATOR_TEXTS } from '../../harness/fillings.ts';
import { camera, pdf } from '../../harness/sample-files.ts';
import type { Device } from '../device.ts';
import type { EngineName } from '../drive/tab.ts';
import { until } from '../until.ts';
import { expect, walk } from '../walk.ts';

const generators = resourceOf('generators');
const PHOTOS = 12;
const MEGABYTE = 1024 * 1024;
/**
 * How much more memory each browser may use than before the first photo, in bytes. A decoded photo of 12 megapixels takes
 * 46 MB. WebKit releases decoded pictures late.
 */
const BOUNDS: Readonly<Record<EngineName, number>> = {
  chromium: 400 * MEGABYTE,
  firefox: 500 * MEGABYTE,
  webkit: 1300 * MEGABYTE,
};

/** Monitors the browser's memory and keeps the maximum of several samples per second. */
function watchMemory(device: Device): { peak: () => number; end: () => void } {
  let peak = device.memory();
  const look = () => (peak = Math.max(peak, device.memory()));
  const timer = setInterval(look, 200);
  return { peak: () => peak, end: () => clearInterval(timer) };
}

walk(
  'twelve photos of twelve megapixels in one page stay within the memory limit',
  async ({ device, world, engine }) => {
    walk.setTimeout(10 * 60_000);
    const { data, origin } = world.server;
    const app = await device.newTab(world.proxy.origin);
    await app.signIn();
    await app.open(routesOf(generators).create);
    await app.tab.run(() => void Object.assign(window, { isTheSame: true }));
    const before = device.memory();
    const memory = watchMemory(device);
    for (let at = 1; at <= PHOTOS; at += 1) await app.attach('images[]', [await camera(`photo-${at}.jpg`, at)]);
    await app.fill(generators, {
      ...GENERATOR_TEXTS,
      catalog: [pdf('sheet.pdf', 1)],
    });
    await app.submit();
    await until('all photos on the server', () => data.imageHashes('generators', 1).length === PHOTOS, 120_000);
    memory.end();
    expect(await app.tab.run(() => 'isTheSame' in window)).toBe(true);
    const stored = data
      .query('SELECT image FROM images ORDER BY id')
      .map(({ image }) => `${origin}/uploads/${String(image)}`);
    for (const address of stored) {
      const { width, height } = await sharp(Buffer.from(await (await fetch(address)).arrayBuffer())).metadata();
      expect([width, height]).toEqual([2560, 1920]);
    }
    const grown = Math.round((memory.peak() - before) / MEGABYTE);
    const description = `${grown} MB above the ${Math.round(before / MEGABYTE)} MB before`;
    walk.info().annotations.push({ type: 'memory', description });
    expect(grown * MEGABYTE).toBeLessThan(BOUNDS[engine]);
  },
);
