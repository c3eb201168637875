import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { png } from '../harness/sample-files.ts';
import { expect, test } from '../harness/world.ts';

const partners = resourceOf('partners');

/** A browser with badge support. Records the badges that it was asked to show. */
const WITH_BADGES = () => {
  const shown: number[] = [];
  Object.assign(window, { badges: shown });
  Object.assign(navigator, { setAppBadge: async (count: number) => void shown.push(count) });
};

test('the icon’s badge counts the waiting changes, and the status counts them as they are sent', async ({
  page,
  world,
}) => {
  const { proxy } = world;
  await page.addInitScript(WITH_BADGES);
  const app = await App.signedIn(page, { proxy });
  await proxy.refuse();
  // each file travels before its change, so that the changes are sent one by one
  const logos = [1, 2, 3].map((seed) => png('logo.png', seed, 300_000));
  await app.createUnsent(partners, ...logos.map((logo, index) => ({ name: `Partner ${index}`, image: [logo] })));
  const badges = () => page.evaluate(() => (window as unknown as { badges: number[] }).badges);
  const status = page.getByRole('banner').getByRole('link', { name: /Offline|Online|Sending/ });
  await expect(status).toHaveText('Offline · 3 waiting');
  await expect.poll(async () => (await badges()).at(-1)).toBe(3);
  await status.click();
  await proxy.strike({ kind: 'hold' }, { only: 'POST /api/create-partner' });
  await app.sendNow();
  await expect(status).toHaveText(/^Sending 1 of 3 · \d+%$/);
  // From here on, so that the app's own failed attempt does not count.
  await status.evaluate((chip) => {
    const said = [chip.textContent ?? ''];
    Object.assign(window, { said });
    const listen = () => said.at(-1) !== chip.textContent && said.push(chip.textContent ?? '');
    new MutationObserver(listen).observe(chip, { childList: true, characterData: true, subtree: true });
  });
  for (const one of [1, 2, 3]) {
    await expect(status).toHaveText(new RegExp(`^Sending ${one} of 3`));
    proxy.release(1);
  }
  await expect(status).toHaveText('Online');
  const said = await page.evaluate(() => (window as unknown as { said: string[] }).said);
  const counted = said.filter((words) => words.startsWith('Sending')).map((words) => words.split(' · ')[0]);
  expect([...new Set(counted)]).toEqual([1, 2, 3].map((one) => `Sending ${one} of 3`));
  const shares = said.flatMap((words) => /(\d+) %/.exec(words)?.[1] ?? []).map(Number);
  expect(shares).toEqual(shares.toSorted((one, other) => one - other));
  await expect.poll(async () => (await badges()).at(-1)).toBe(0);
});

test('an iPad explains how to add the app to the home screen, until that is dismissed', async ({ browser, world }) => {
  const userAgent =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15';
  const context = await browser.newContext({ userAgent, hasTouch: true, viewport: { width: 820, height: 1180 } });
  const page = await context.newPage();
  await page.addInitScript(() => Object.defineProperty(navigator, 'maxTouchPoints', { value: 5 }));
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  const hint = page.getByText('Tap the Share button, then “Add to Home Screen”.');
  await expect(hint).toBeVisible();
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(hint).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(hint).toHaveCount(0);
  await context.close();
});
