import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { png } from '../harness/sample-files.ts';
import { expect, test } from '../harness/world.ts';

const partners = resourceOf('partners');
const filling = { name: 'Volt Brothers', link: 'https://example.com', image: [png('logo.png', 1)] };
const LOST = 'This browser has deleted what was saved on this device.';

test.use({ holds: 'session' });

test('the chip, Home and the outbox report changes that the browser has deleted, until that is acknowledged', async ({
  page,
  context,
  world: { proxy },
}) => {
  const app = await App.signedIn(page, { proxy });
  await app.open('/partner-all');
  await proxy.refuse();
  await app.createUnsent(partners, filling);
  await page.goto('about:blank');

  const devtools = await context.newCDPSession(page);
  // everything that Safari clears after a week, except for its cookies
  const storageTypes = 'indexeddb,local_storage,cache_storage';
  await devtools.send('Storage.clearDataForOrigin', { origin: proxy.origin, storageTypes });
  await proxy.clear();
  await app.signIn();
  const chip = page.getByRole('banner').getByRole('link', { name: 'Changes were lost' });
  await expect(page.getByText(LOST)).toBeVisible();
  await expect(chip).toBeVisible();
  await expect(page.getByText('All changes sent')).toHaveCount(0);
  await page.reload();
  await chip.click();
  await expect(page).toHaveURL(/\/outbox$/);
  await expect(page.getByText(LOST)).toBeVisible();
  await page.getByRole('button', { name: 'I’ve checked' }).click();
  await expect(chip).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Online' })).toBeVisible();
  await expect(page.getByText(LOST)).toHaveCount(0);
});
