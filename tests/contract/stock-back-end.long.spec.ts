import { expect, test } from '@playwright/test';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { png } from '../harness/sample-files.ts';
import { HOUSES } from './houses.ts';

const generators = resourceOf('generators');
const partners = resourceOf('partners');
const CREATE = `POST ${partners.endpoints.create}`;
const openHouse = HOUSES['a stock back end beside the app'];

test('finds a create in the list after its answer was lost, and does not repeat it', async ({ page }) => {
  const house = await openHouse();
  const { proxy, stored } = house;
  try {
    const app = new App(page, proxy.origin);
    await app.signIn(house.administrator);
    await app.workerReady();
    // Lets one byte through, so that the browser itself does not resend the request.
    await proxy.strike({ kind: 'cut-answer', after: 1 }, { only: CREATE });
    await app.create(partners, { name: 'Lost', image: [png('logo.png', 1)] });
    await expect(page).toHaveURL(/\/partner-all$/);
    await proxy.clear();
    await app.open('/outbox');
    await expect(page.getByText('All changes sent')).toBeVisible({ timeout: 90_000 });
    expect(stored.rows('partners')).toHaveLength(1);
    expect(proxy.count(CREATE)).toBe(1);
    await app.open('/partner-all');
    await expect(app.row('Lost').getByRole('link', { name: /^Edit/ })).toHaveAttribute('href', '/partner-edit/1');
  } finally {
    await house.close();
  }
});

test('sends more than twenty photos in several requests, and all of them arrive', async ({ page }) => {
  const house = await openHouse();
  const { proxy, stored } = house;
  const photos = Array.from({ length: 23 }, (_, index) => png(`photo ${index}.png`, index, 400));
  try {
    const app = new App(page, proxy.origin);
    await app.signIn(house.administrator);
    await app.workerReady();
    const texts = { brand: 'B', capacity: 'C', generator_model: 'G', engine_model: 'E', alternator_model: 'A' };
    await app.create(generators, {
      ...texts,
      origin: 'O',
      series: { option: 1 },
      catalog: [png('sheet.png', 99)],
      images: photos,
    });
    const arrived = () => stored.imageHashes('generators', 1);
    await expect.poll(arrived, { timeout: 60_000 }).toEqual(photos.map((photo) => photo.sha256));
    expect(stored.rows('generators')).toHaveLength(1);
  } finally {
    await house.close();
  }
});
