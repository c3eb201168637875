import { App } from '../harness/app.ts';
import { expect, test } from '../harness/world.ts';

test.use({ settings: { BRAND_LABEL: 'Ampere', LOCATION_LINE: 'Dhaka, Bangladesh', COMPANY_LABEL: 'Ampere Power' } });

test.describe('on a new device', () => {
  test.use({ holds: 'nothing' });

  test('a toast is shown top right for three seconds, and longer under the pointer', async ({ page, world }) => {
    const app = new App(page, world.proxy.origin);
    await page.clock.install();
    await app.open('/login');
    await expect(page.getByLabel('Email')).toBeVisible();
    // From here on time passes only when told, however long things take.
    await page.clock.pauseAt(Date.now() + 60_000);
    await app.enter();
    const toast = app.toast('Successfully Logged In...!');
    const pass = (milliseconds: number) => page.clock.runFor(milliseconds);
    const passUntil = async (shown: boolean) => {
      let passed = 0;
      await expect(async () => {
        await pass(50);
        passed += 50;
        expect(await toast.isVisible()).toBe(shown);
      }).toPass({ intervals: [20] });
      return passed;
    };
    await passUntil(true);
    await pass(500);
    const box = await toast.boundingBox();
    const { width = 0 } = page.viewportSize() ?? {};
    expect(width - (box?.x ?? 0) - (box?.width ?? 0)).toBeLessThan(40);
    expect(box?.y).toBeLessThan(100);
    await pass(2000);
    await expect(toast).toBeVisible();
    // Not by hover(), which waits for a frame, and no frame comes by itself here.
    await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 20);
    const held = toast.locator('[data-paused]');
    await expect(held).toBeAttached();
    await pass(10_000);
    await expect(toast).toBeVisible();
    await page.mouse.move(0, 400);
    await expect(held).toHaveCount(0);
    // Half a second was left before it slides away: far less than the four seconds of a new toast.
    expect(await passUntil(false)).toBeLessThan(1500);
  });
});

test('the navigation is a sidebar, a rail or a drawer depending on the width, and the status is always visible', async ({
  page,
  world,
}) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  const dashboard = page.getByRole('link', { name: 'Dashboard' });
  const toggler = page.getByRole('button', { name: 'Navigation' });
  for (const [width, inSight, toggled] of [
    [1200, true, false],
    [1199, true, true],
    [600, true, true],
    [599, false, true],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await expect(dashboard).toBeVisible({ visible: inSight });
    await expect(toggler).toBeVisible({ visible: toggled });
    await expect(page.getByRole('banner').getByRole('link', { name: 'Online' })).toBeVisible();
  }
  await toggler.press('Enter');
  await expect(dashboard).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dashboard).toBeHidden();
  await expect(toggler).toBeFocused();
});

test('a new address starts at the top, and a reload or Back restores the scroll position', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await page.setViewportSize({ width: 390, height: 500 });
  await app.signIn();
  const top = () => page.evaluate(() => window.scrollY);
  await app.open('/generator-create');
  await page.getByLabel('Origin').evaluate((control) => control.scrollIntoView());
  const left = await top();
  expect(left).toBeGreaterThan(100);
  await page.reload();
  await expect.poll(top).toBe(left);
  await app.open('/sete-meta-update');
  await expect(page.getByLabel('Title', { exact: true })).toBeVisible();
  expect(await top()).toBe(0);
  await page.goBack();
  await expect.poll(top).toBe(left);
});
