import type { Page } from '@playwright/test';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { atRest } from '../harness/at-rest.ts';
import { png } from '../harness/sample-files.ts';
import { slideOrder } from '../harness/slides.ts';
import { expect, test, type World } from '../harness/world.ts';
import { Finger, middleOf, serialsIn } from './steps/touch.ts';

const partners = resourceOf('partners');

test.use({ hasTouch: true, viewport: { width: 820, height: 1180 } });

test('slides are reordered by touch and saved once', async ({ page, world }) => {
  const lines = await slideOrder(page, world);
  const finger = await Finger.of(page);
  const handle = (text: string) => page.getByRole('button', { name: new RegExp(`^Move ${text}, now`) });
  const lifted = page.locator('.slides [data-lifted=true]');
  await finger.drag(handle('Three'), lifted, handle('One'), page.getByText('Three is over position 1 of 3.'));
  await expect(lines).toContainText(['Three', 'One', 'Two']);
  await page.getByRole('button', { name: 'Save order' }).click();
  await expect.poll(serialsIn(world)).toEqual([
    ['One', 2],
    ['Two', 3],
    ['Three', 1],
  ]);
});

async function halfFilled(page: Page, world: World): Promise<void> {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await app.open('/partner-create');
  await app.fill(partners.fields, { image: [png('logo.png', 1)], name: 'Sunrise', link: 'no address' });
  await atRest(page);
}

test('the first tap on Save counts, even if it leaves a field', async ({ page, world }) => {
  await halfFilled(page, world);
  const save = await middleOf(page.getByRole('button', { name: 'Add Partner' }));
  await page.touchscreen.tap(save.x, save.y);
  // Leaving the field marks it as well; only a save shows the error summary.
  await expect(page.getByRole('alert').filter({ hasText: 'Check 1 field' })).toBeFocused();
});

test('a hint that appears does not move anything that can be tapped', async ({ page, world }) => {
  await halfFilled(page, world);
  const places = () =>
    page
      .locator('.control, .pick-zone, .tile, .save-bar button, .save-bar a')
      .evaluateAll((all) => all.map((one) => JSON.stringify(one.getBoundingClientRect())));
  const before = await places();
  await page.getByLabel('Link').blur();
  await expect(page.getByText('The link must be a valid URL.')).toBeVisible();
  expect(await places()).toEqual(before);
});
