import { resourceOf } from '../../src/domain/resources/index.ts';
import { followInAccount } from '../harness/account-menu.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { expectAccessible } from '../harness/axe.ts';
import { storeRecord } from '../harness/seed.ts';
import { expect, test } from '../harness/world.ts';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

test('the start screen, the sizes and the preferred hand are chosen and kept', async ({ page, world }) => {
  await storeRecord(await Api.signIn(world.server.origin), resourceOf('street-lights'), 1, { model: 'SL-1' });
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  const rowHeight = async () => {
    await app.open('/st-all');
    const box = await page.getByRole('listitem').filter({ hasText: 'SL-1' }).first().boundingBox();
    return Math.round(box?.height ?? 0);
  };
  const usual = await rowHeight();

  await followInAccount(page, 'Preferences');
  await page.getByRole('checkbox', { name: 'Compact rows' }).check();
  await expectAccessible(page, 'preferences');
  expect(await rowHeight()).toBe(usual - 12);

  await app.open('/preferences');
  await page.getByRole('checkbox', { name: 'Compact rows' }).uncheck();
  await page.getByRole('checkbox', { name: 'Large touch' }).check();
  await page.getByRole('checkbox', { name: 'Left-handed' }).check();
  await page.getByLabel('Start with').selectOption({ label: resourceOf('street-lights').label.list });
  await expectAccessible(page, 'preferences, large');
  expect(await rowHeight()).toBe(usual + 16);
  const create = await page.getByRole('link', { name: 'Create New' }).boundingBox();
  expect(create?.x).toBeLessThan(60);
  await page
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .check({ force: true });
  const place = async (name: string) => (await page.getByRole('button', { name }).boundingBox())?.x ?? Number.NaN;
  expect(await place('Delete selected')).toBeLessThan(await place('Clear'));

  // The app's address leads to the chosen screen, the link to the Dashboard leads to the Dashboard.
  const opened = await page.context().newPage();
  await opened.goto(app.origin);
  await expect(opened).toHaveURL(/\/st-all$/);
  await opened.getByRole('button', { name: 'Navigation' }).click();
  await opened.getByRole('link', { name: 'Dashboard' }).click();
  await expect(opened.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  await expect(opened).toHaveURL(`${app.origin}/`);
});
