import { RESOURCES, resourceOf } from '../../src/domain/resources/index.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { storeRecord } from '../harness/seed.ts';
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

test('the top bar and the sidebar match the specification', async ({ page, world }) => {
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
  const drawer = page.getByRole('link', { name: 'Dashboard' });
  await expect(drawer).toBeHidden();
  await page.getByRole('button', { name: 'Navigation' }).click();
  await page.getByRole('link', { name: 'All Partners' }).click();
  await expect(drawer).toBeHidden();
  await page.goBack();
  await expect(page).not.toHaveURL(/\/partner-all$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(drawer).toBeHidden();
});

test('the appearance follows the device until a choice is made, which is kept', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await ground();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(ground).not.toBe(light);
  await page.getByRole('button', { name: 'Test Administrator' }).click();
  await page.getByRole('radio', { name: 'Light' }).check({ force: true });
  await expect.poll(ground).toBe(light);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await ground()).toBe(light);
});

test('a plain link has the brand’s colour, light and dark', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await app.open('/about');
  const link = page.getByRole('main').getByRole('link').first();
  await expect(link).toBeVisible();
  const colours = () =>
    link.evaluate((one) => {
      const brand = getComputedStyle(one).getPropertyValue('--vd-palette-primary-main');
      const probe = document.createElement('span');
      probe.style.color = brand;
      document.body.append(probe);
      const pair = [getComputedStyle(one).color, getComputedStyle(probe).color];
      probe.remove();
      return pair;
    });
  const seen = new Set<string | undefined>();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect.poll(async () => new Set(await colours()).size).toBe(1);
    seen.add((await colours())[0]);
  }
  expect(seen.size).toBe(2);
});

test('everything is found from every screen, even without a server', async ({ page, world }) => {
  const api = await Api.signIn(world.server.origin);
  await storeRecord(api, resourceOf('partners'), 1, { name: 'Volt Brothers' });
  const app = await App.signedIn(page, world);
  await app.open('/partner-all');
  await expect(app.row('Volt Brothers')).toBeVisible();
  await app.keepsCopy('list/partners');
  await world.proxy.refuse();
  await app.open('/about');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const find = page.getByRole('dialog', { name: 'Find' });
  // Keys are handled once the page has settled; the button waits until then.
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(find).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(find).toBeHidden();
  for (const [letters, found, address] of [
    ['volt bro', 'Volt Brothers', '/partner-edit/1'],
    ['site me', 'Site meta', '/sete-meta-update'],
    ['new street', 'New Street Light', '/st-create'],
  ] as const) {
    await page.keyboard.press('Control+k');
    await find.getByRole('searchbox').fill(letters);
    await expect(find.getByRole('listitem').first()).toContainText(found);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(app.origin + address);
    // a new form starts in its first field
    const begins = address === '/st-create' ? page.getByLabel('Brand') : page.getByRole('heading', { level: 1 });
    await expect(begins).toBeFocused();
  }

  // a click is one step in the history, like every link
  const steps = () => page.evaluate(() => window.history.length);
  const before = await steps();
  await page.keyboard.press('Control+k');
  await find.getByRole('searchbox').fill('volt bro');
  await find.getByRole('link', { name: 'Volt Brothers' }).click();
  await expect(page).toHaveURL(/\/partner-edit\/1$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect(await steps()).toBe(before + 1);
});
