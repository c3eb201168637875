import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { png } from '../harness/sample-files.ts';
import { expect, test } from '../harness/world.ts';

const partners = resourceOf('partners');
const image = [png('logo.png', 1)];

test('a change refused later opens with its values, files and errors, and is repaired in place', async ({
  page,
  world,
}) => {
  const { proxy, server } = world;
  const app = await App.signedIn(page, { proxy });
  await proxy.refuse();
  await app.createUnsent(partners, { name: 'Volt Brothers', link: 'no address', image });
  await app.open('/outbox');
  await expect(page.getByRole('listitem').filter({ hasText: 'Volt Brothers' })).toContainText('New partner');
  // nothing is pressed first that could only ask again
  await expect(page.getByRole('button', { name: 'Send now' })).toHaveClass(/MuiButton-outlined/);

  await proxy.clear();
  await app.sendNow();
  const entry = page.getByRole('listitem').filter({ hasText: 'Refused by the server' });
  await expect(entry).toContainText('The link must be a valid URL.');
  await entry.getByRole('link', { name: 'Edit' }).click();
  await expect(page.getByLabel('Link')).toHaveValue('no address');
  await expect(page.getByLabel('Link')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('button', { name: 'Remove logo.png' })).toBeVisible();
  await page.getByLabel('Link').fill('https://volt.example');
  await app.submit();
  await app.tells('Partner Created Successfully');
  expect(server.data.rows('partners')).toMatchObject([{ name: 'Volt Brothers', link: 'https://volt.example' }]);
  expect(server.data.receivedHash(server.data.rows('partners')[0]?.['image'])).toBe(png('logo.png', 1).sha256);
});

test('a queue is moved from one device to another in a file', async ({ page, browser, world }) => {
  const { proxy, server } = world;
  const app = await App.signedIn(page, { proxy });
  await proxy.refuse();
  await app.createUnsent(partners, { name: 'Carried', image });
  await app.open('/outbox');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const file = await (await downloading).path();
  await page.close();

  await proxy.clear();
  const elsewhere = new App(await (await browser.newContext()).newPage(), proxy.origin);
  await elsewhere.signIn();
  await elsewhere.open('/outbox');
  await elsewhere.page.getByLabel('Queue file').setInputFiles(file);
  await elsewhere.tells('1 change imported.');
  await expect.poll(() => server.data.rows('partners').length).toBe(1);
  expect(server.data.receivedHash(server.data.rows('partners')[0]?.['image'])).toBe(png('logo.png', 1).sha256);
  await elsewhere.page.context().close();
});
