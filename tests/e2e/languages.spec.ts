import { expect, test } from '../harness/shared-world.ts';
import { statusOf } from '../../src/app/shell/status-words.ts';
import { catalogue as german } from '../../src/language/de.ts';
import { speak } from '../../src/language/t.ts';
import { signedIn } from './steps/languages.ts';

test('the longest status fits on a phone in German', async ({ context, inhabited }) => {
  speak(german);
  const facts = { radio: false, online: false, sessionEnded: false };
  const { words } = statusOf({ ...facts, waiting: 12, needAttention: 3 });
  speak(undefined);
  const page = await signedIn(context, `${inhabited.app.origin}/login?language=de`);
  await page.setViewportSize({ width: 390, height: 844 });
  const chip = page.getByRole('banner').getByRole('link', { name: 'Online' });
  await chip.locator('[aria-live]').evaluate((said, text) => (said.textContent = text), words);
  const status = page.getByRole('banner').locator('a[data-tone] > span').last();
  await expect(status).toHaveText('Offline · 12 wartend · 3 zu klären');
  const cut = () =>
    status.evaluate(({ scrollWidth, clientWidth, parentElement }) => {
      const over = (parentElement?.scrollHeight ?? 0) - (parentElement?.clientHeight ?? 0);
      return [Math.max(0, scrollWidth - clientWidth), Math.max(0, over)];
    });
  expect(await cut()).toEqual([0, 0]);
});

test('a toast on a phone in German stays in the line of the heading, and errors are in German', async ({
  context,
  inhabited,
}) => {
  const page = await signedIn(context, `${inhabited.app.origin}/login?language=de`);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${inhabited.app.origin}/partner-create`);
  await page.getByRole('main').getByRole('button', { name: 'Partner hinzufügen' }).click();
  const toast = page.locator('.toasts').getByRole('alert');
  await expect(toast).toBeVisible();
  const below = (await toast.boundingBox()) ?? { y: 0, height: 0 };
  const heading = await page.getByRole('heading', { level: 1 }).locator('..').boundingBox();
  expect(below.y + below.height).toBeLessThanOrEqual((heading?.y ?? 0) + (heading?.height ?? 0));
  await expect(page.locator('.form-summary')).toContainText('Bitte ergänzen: Name.');
});
