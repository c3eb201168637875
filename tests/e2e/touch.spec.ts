import type { Locator, Page } from '@playwright/test';
import { RESOURCES, resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { atRest } from '../harness/at-rest.ts';
import { lift } from '../harness/lift.ts';
import { png } from '../harness/sample-files.ts';
import { slideOrder } from '../harness/slides.ts';
import { expect, test, type World } from '../harness/world.ts';

const partners = resourceOf('partners');
const streetLights = resourceOf('street-lights');

test.use({ hasTouch: true, viewport: { width: 820, height: 1180 } });

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A finger on the screen, as the browser gets it from the device. */
class Finger {
  readonly #send: (type: string, touchPoints: readonly Point[]) => Promise<unknown>;

  private constructor(send: (type: string, touchPoints: readonly Point[]) => Promise<unknown>) {
    this.#send = send;
  }

  static async of(page: Page): Promise<Finger> {
    const session = await page.context().newCDPSession(page);
    return new Finger((type, touchPoints) =>
      session.send('Input.dispatchTouchEvent', { type: type as 'touchStart', touchPoints: [...touchPoints] }),
    );
  }

  /** Holds an element until it is lifted, drags it over another and releases it once `there` is visible. */
  async drag(from: Locator, lifted: Locator, onto: Locator, there: Locator): Promise<void> {
    await atRest(from.page());
    const start = await middleOf(from);
    const end = await middleOf(onto);
    await this.#send('touchStart', [start]);
    await expect(lifted).toBeVisible();
    for (const part of [0.25, 0.5, 0.75, 1]) {
      await this.#send('touchMove', [{ x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part }]);
    }
    await expect(there).toBeAttached();
    await this.#send('touchEnd', []);
    await expect(lifted).toHaveCount(0);
  }
}

async function middleOf(place: Locator): Promise<Point> {
  const box = await place.boundingBox();
  if (box === null) throw new Error('There is nothing to touch.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

function serialsIn({ server }: World) {
  return () => server.data.rows('sliders').map((row) => [row['text'], row['serial']]);
}

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
