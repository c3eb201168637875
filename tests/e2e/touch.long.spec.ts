import type { Locator } from '@playwright/test';
import { RESOURCES, resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { lift } from '../harness/lift.ts';
import { png } from '../harness/sample-files.ts';
import { slideOrder } from '../harness/slides.ts';
import { expect, test } from '../harness/world.ts';
import { Finger, serialsIn } from './steps/touch.ts';

const streetLights = resourceOf('street-lights');

test.use({ hasTouch: true, viewport: { width: 820, height: 1180 } });

test('slides are reordered by keyboard with announcements, and Escape puts one back', async ({ page, world }) => {
  const lines = await slideOrder(page, world);
  const lifted = page.locator('.slides [data-lifted=true]');
  const liftFirst = () => lift(page, 'Move One, now 1 of 3', 'One is over position 1 of 3.');
  await liftFirst();
  await expect(lifted).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByText('One is over position 2 of 3.')).toBeAttached();
  await page.keyboard.press('Escape');
  await expect(lifted).toHaveCount(0);
  await expect(lines).toContainText(['One', 'Two', 'Three']);
  await expect(page.getByRole('dialog')).toBeVisible();

  await liftFirst();
  for (const place of [2, 3]) {
    await page.keyboard.press('ArrowDown');
    await expect(page.getByText(`One is over position ${place} of 3.`)).toBeAttached();
  }
  await page.keyboard.press('Space');
  await expect(lines).toContainText(['Two', 'Three', 'One']);
  await page.getByRole('button', { name: 'Save order' }).press('Enter');
  await expect.poll(serialsIn(world)).toEqual([
    ['One', 3],
    ['Two', 1],
    ['Three', 2],
  ]);
});

test('picked photos are reordered by touch', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await app.open('/st-create');
  await app.addPhotos(
    streetLights,
    ['a.png', 'b.png', 'c.png'].map((name, seed) => png(name, seed + 1)),
  );
  const photo = (name: string) => page.getByRole('button', { name: `Enlarge ${name}` });
  await photo('a.png').scrollIntoViewIfNeeded();
  const finger = await Finger.of(page);
  const there = page.getByText('c.png is over position 1 of 3.');
  await finger.drag(photo('c.png'), page.locator('.tiles [data-lifted=true]'), photo('a.png'), there);
  await expect(page.getByRole('button', { name: 'Position of c.png: 1 of 3' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

/** The minimum height of a touch target. CSS pixels. */
const FINGER = 44;

test('every entry of the navigation is high enough for a finger', async ({ page, world }) => {
  const app = await App.signedIn(page, world);
  const heights = (entries: Locator) =>
    entries.evaluateAll((all) => all.map((entry) => entry.getBoundingClientRect().height));
  await app.open('/partner-all');
  const rail = page.getByRole('navigation', { name: 'Navigation' }).locator('a, button');
  await expect(rail).toHaveCount(RESOURCES.length + 4);
  const inRail = await heights(rail);
  await page.getByRole('button', { name: 'Navigation' }).click();
  const drawer = page.getByRole('dialog').getByRole('navigation', { name: 'Navigation' }).locator('a, button');
  // the group of the open page shows its two links
  await expect(drawer).toHaveCount(RESOURCES.length + 4);
  const all = [...inRail, ...(await heights(drawer))];
  expect(all.filter((height) => height < FINGER)).toEqual([]);
});

test('a small button is high enough for a finger too', async ({ page, world }) => {
  const app = await App.signedIn(page, world);
  await world.proxy.refuse();
  await app.open('/people');
  const retry = await page.getByRole('main').getByRole('button', { name: 'Retry' }).boundingBox();
  expect(retry?.height).toBeGreaterThanOrEqual(FINGER);
});
