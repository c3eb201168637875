import type { Page } from '@playwright/test';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { expectAccessible } from '../harness/axe.ts';
import { png } from '../harness/sample-files.ts';
import { expect, test } from '../harness/world.ts';

const partners = resourceOf('partners');
const MB = 1_000_000;

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, unhurriedForms: false });

/** The link type that the page and the worker see: desktop browsers report none. */
function setLinkType(type: string): void {
  const known = (navigator as { connection?: unknown }).connection;
  const information = known instanceof EventTarget ? known : new EventTarget();
  Object.defineProperty(information, 'type', { value: type, configurable: true });
  Object.defineProperty(navigator, 'connection', { value: information, configurable: true });
  information.dispatchEvent(new Event('change'));
}

/** The worker first, which the page wakes when it sees the link. */
async function linkBecomes(page: Page, type: string): Promise<void> {
  for (const worker of page.context().serviceWorkers()) await worker.evaluate(setLinkType, type);
  await page.evaluate(setLinkType, type);
}

test('large files wait for Wi-Fi when chosen, and everything else is sent', async ({ page, world }) => {
  const { server } = world;
  const names = () => server.data.rows('partners').map((row) => row['name']);
  await page.addInitScript(setLinkType, 'cellular');
  const app = await App.signedIn(page, world);
  await linkBecomes(page, 'cellular');
  await app.open('/preferences');
  await page.getByLabel('Wi-Fi only').selectOption({ label: 'For files over 1.0 MB' });
  await expectAccessible(page, 'preferences with Wi-Fi');

  await app.create(partners, { name: 'Held', image: [png('held.png', 1, 1.2 * MB)] });
  await expect(page.getByText('Saved on this device. It will be sent over Wi-Fi.')).toBeVisible();
  await app.create(partners, { name: 'Urgent', image: [png('urgent.png', 2, 1.3 * MB)] });
  // a form that is left before its file is read and stored keeps it as a draft
  await expect(page).toHaveURL(/\/partner-all$/);
  await app.create(partners, { name: 'Small', image: [png('small.png', 3)] });
  await expect.poll(names).toEqual(['Small']);

  await app.open('/outbox');
  await expect(page.getByRole('link', { name: '2 waiting for Wi-Fi' })).toBeVisible();
  await expect(page.getByText('2.5 MB waiting for Wi-Fi')).toBeVisible();
  await expect(page.getByText('Waiting for Wi-Fi – held.png is larger than 1.0 MB.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send now', exact: true })).toHaveCount(0);
  await expectAccessible(page, 'outbox that waits for Wi-Fi');
  const urgent = page.getByRole('listitem').filter({ hasText: 'urgent.png' });
  await urgent.getByRole('button', { name: 'Send now anyway' }).click();
  await expect.poll(names).toEqual(['Small', 'Urgent']);
  await expect(page.getByRole('link', { name: '1 waiting for Wi-Fi' })).toBeVisible();

  await linkBecomes(page, 'wifi');
  await expect.poll(names).toEqual(['Small', 'Urgent', 'Held']);
});

test('the option is not offered when the browser reports no link type', async ({ page, world }) => {
  const app = await App.signedIn(page, world);
  await app.open('/preferences');
  await expect(page.getByLabel('Language')).toBeVisible();
  await expect(page.getByLabel('Wi-Fi only')).toHaveCount(0);
});
