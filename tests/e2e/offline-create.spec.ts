import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { GENERATOR_TEXTS } from '../harness/fillings.ts';
import { pdf, png } from '../harness/sample-files.ts';
import { expect, test } from '../harness/world.ts';

const generators = resourceOf('generators');
const sheet = pdf('sheet.pdf', 7);
const photos = [png('front.png', 7), png('side.png', 8), png('plate.png', 9)];
const later = png('later.png', 10);

test('an offline create and an edit of it arrive once and whole after the browser is killed', async ({
  device,
  world,
}) => {
  const { server, proxy } = world;
  const page = await device.newPage();
  const app = await App.signedIn(page, { proxy });
  await app.open('/generator-create');
  await expect(page.getByLabel('Series').getByRole('option').nth(1)).toBeAttached();

  await server.stop();
  await app.fill(generators.fields, {
    ...GENERATOR_TEXTS,
    catalog: [sheet],
    images: photos,
  });
  await app.submit();
  await app.tells('Saved on this device.');
  await expect(page).toHaveURL(/\/generator-all$/);
  await app.row('Cummins').getByRole('link', { name: /^Edit/ }).click();
  await expect(page.getByLabel('Capacity')).toHaveValue('100 kVA');
  await page.getByLabel('Capacity').fill('125 kVA');
  await app.addPhotos(generators, [later]);
  await app.submit();
  // The first save's toast may still be visible. The form is left only once this change is stored on the device.
  await expect(page).toHaveURL(/\/generator-all$/);

  await device.kill();
  await device.start();
  await server.start();

  const rows = () => server.data.rows('generators');
  await expect.poll(() => rows()[0]?.['capacity'], { timeout: 90_000 }).toBe('125 kVA');
  expect(rows()).toHaveLength(1);
  const [row] = rows();
  expect(server.data.receivedHash(row?.['catalog'])).toBe(sheet.sha256);
  expect(server.data.imageHashes('generators', row?.id ?? 0)).toEqual([...photos, later].map(({ sha256 }) => sha256));
  expect(proxy.requests.filter(({ line }) => line.startsWith('POST /api/')).map(({ line }) => line)).toContain(
    'POST /api/create-generator',
  );
});
