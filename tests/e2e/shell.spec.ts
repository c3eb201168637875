import { RESOURCES } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { expect, test } from '../harness/world.ts';

const GROUPS = [
  ['Sliders', 'All Slider'],
  ['Projects', 'All Projects'],
  ['Generators', 'All Generators'],
  ['Solar Panels', 'All Solar Panels'],
  ['Grid Tie Inverter', 'All Grid Tie Inverter'],
  ['Ups', 'All Ups'],
  ['Street Light', 'All Street Light'],
  ['Partners', 'All Partners'],
  ['Certifications', 'All Certifications'],
  ['About Us Sliders', 'All About Us Sliders'],
] as const;

test.use({ settings: { BRAND_LABEL: 'Ampere', LOCATION_LINE: 'Dhaka, Bangladesh', COMPANY_LABEL: 'Ampere Power' } });

test('the top bar and the sidebar are those of the specification', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  const bar = page.getByRole('banner').first();
  await expect(bar).toContainText('Ampere Power');
  await expect(bar).toContainText('Test Administrator');
  await expect(bar.getByRole('link', { name: 'Online' })).toBeVisible();
  await expect(bar.getByRole('link', { name: 'Change Password' })).toHaveAttribute('href', '/pass-change');
  await expect(bar.getByRole('button', { name: 'Logout' })).toBeVisible();

  const sidebar = page.getByRole('navigation', { name: 'Navigation' });
  await expect(page.getByText('Ampere', { exact: true })).toBeVisible();
  await expect(page.getByText('Dhaka, Bangladesh')).toBeVisible();
  await expect(sidebar.getByRole('heading', { name: 'Main' })).toBeVisible();
  await expect(sidebar.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/');
  await expect(sidebar.getByRole('link', { name: 'Site meta' })).toHaveAttribute('href', '/sete-meta-update');
  await expect(sidebar.getByRole('button')).toHaveText(GROUPS.map(([group]) => group));
  for (const [group, list] of GROUPS) {
    const resource = RESOURCES.find((one) => one.label.many === group);
    await sidebar.getByRole('button', { name: group, exact: true }).click();
    const links = sidebar.getByRole('list', { name: group, exact: true }).getByRole('link');
    await expect(links).toHaveText(['Create New', list]);
    await expect(links.first()).toHaveAttribute('href', `/${resource?.path}-create`);
    await expect(links.last()).toHaveAttribute('href', `/${resource?.path}-all`);
  }
});

test('on a phone the toggler labelled Navigation opens the sidebar', async ({ page, world }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeHidden();
  await page.getByRole('button', { name: 'Navigation' }).click();
  await page.getByRole('button', { name: 'Partners' }).click();
  await page.getByRole('link', { name: 'All Partners' }).click();
  await expect(page).toHaveURL(/\/partner-all$/);
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeHidden();
});

test('a toast stands top right for three seconds, and longer under the pointer', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await page.clock.install();
  await app.signIn();
  const toast = app.toast('Successfully Logged In...!');
  const box = await toast.boundingBox();
  const { width = 0 } = page.viewportSize() ?? {};
  expect(width - (box?.x ?? 0) - (box?.width ?? 0)).toBeLessThan(40);
  expect(box?.y).toBeLessThan(100);
  await toast.hover();
  await page.clock.fastForward(10_000);
  await expect(toast).toBeVisible();
  await page.mouse.move(0, 400);
  await page.clock.fastForward(3500);
  await expect(toast).toBeHidden();
});
