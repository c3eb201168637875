import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { png } from '../harness/sample-files.ts';
import { expect, test } from '../harness/world.ts';

const partners = resourceOf('partners');
const filling = { name: 'Volt Brothers', link: 'https://example.com', image: [png('logo.png', 1)] };

test.use({ holds: 'session' });

test('a page loaded without a server never shows as online while changes wait', async ({ page, world: { proxy } }) => {
  const app = await App.signedIn(page, { proxy });
  await app.open('/partner-all');
  await proxy.refuse();
  await app.createUnsent(partners, filling);
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => {
      const text = document.querySelector('a[href="/outbox"][data-tone]')?.textContent ?? '';
      if (text !== '' && seen.at(-1) !== text) seen.push(text);
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
  await page.reload();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Offline · 1 waiting' })).toBeVisible();
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  expect(seen.filter((text) => text.includes('Online'))).toEqual([]);
});
