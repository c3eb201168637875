import { partners } from '../../src/domain/resources/partners.ts';
import { App } from '../harness/app.ts';
import { followInAccount } from '../harness/account-menu.ts';
import { expectAccessible } from '../harness/axe.ts';
import { fillingOf } from '../harness/fillings.ts';
import { expect, test } from '../harness/world.ts';

test('a session ended elsewhere ends with its next request, and its waiting changes are sent after the sign-in', async ({
  page,
  browser,
  world: { proxy, server },
}) => {
  const tablet = new App(page, proxy.origin);
  await tablet.signIn();
  await tablet.workerReady();
  await proxy.refuse();
  await tablet.createUnsent(partners, { ...(await fillingOf(partners.fields, 1)), name: 'Made on the tablet' });

  const desk = new App(await (await browser.newContext()).newPage(), server.origin);
  await desk.signIn();
  await followInAccount(desk.page, 'Devices & sessions');
  await expect(desk.page.getByRole('heading', { name: 'Devices & sessions', level: 1 })).toBeVisible();
  await expect(desk.page.getByText('This device', { exact: true })).toBeVisible();
  await expectAccessible(desk.page, 'the sessions');
  await desk.page.getByRole('button', { name: /^Log out .+ on / }).click();
  await desk.answer('Log out');
  await desk.tells('Device logged out');
  await expect(desk.page.getByRole('button', { name: /^Log out .+ on / })).toHaveCount(0);

  await proxy.clear();
  await tablet.linkReturns();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect(server.data.query('SELECT name FROM partners')).toEqual([]);
  await tablet.enter();
  await expect.poll(() => server.data.query('SELECT name FROM partners')).toEqual([{ name: 'Made on the tablet' }]);
});
