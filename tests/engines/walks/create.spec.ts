import { resourceOf } from '../../../src/domain/resources/index.ts';
import { GENERATOR_TEXTS } from '../../harness/fillings.ts';
import { pdf, png } from '../../harness/sample-files.ts';
import { until } from '../until.ts';
import { expect, walk } from '../walk.ts';

const generators = resourceOf('generators');
const sheet = pdf('sheet.pdf', 7, 400_000);
const photos = [png('front.png', 1, 2000), png('side.png', 2, 300_000), png('plate.png', 3, 1_500_000)];

walk('a generator with three photos and a catalogue arrives byte by byte', async ({ device, world }) => {
  const app = await device.newTab(world.proxy.origin);
  await app.signIn();
  await app.create(generators, {
    ...GENERATOR_TEXTS,
    catalog: [sheet],
    images: photos,
  });
  const { data } = world.server;
  const row = await until('the record on the server', () => data.rows('generators')[0]);
  expect(row).toMatchObject({ brand: 'Cummins', capacity: '100 kVA' });
  expect(data.receivedHash(row['catalog'])).toBe(sheet.sha256);
  expect(data.imageHashes('generators', row.id)).toEqual(photos.map(({ sha256 }) => sha256));
});
