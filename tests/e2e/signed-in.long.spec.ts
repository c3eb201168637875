import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { ADMINISTRATOR } from '../harness/server.ts';
import { expect, test } from '../harness/world.ts';

const OMAR = { name: 'Omar Faruk', email: 'omar@voltdesk.test', password: 'four grey donkeys' };

test('after a switch of administrators and a kill the app opens as the last one who signed in', async ({
  device,
  world: { proxy, server },
}) => {
  await Api.join(server.origin, OMAR);
  const before = new App(await device.newPage(), proxy.origin);
  await before.signIn();
  await before.workerReady();
  // local storage is now on the disk, as after days of work
  await device.restart();
  const app = new App(await device.newPage(), proxy.origin);
  await app.open('/');
  await expect(app.page.getByText(ADMINISTRATOR.name)).toBeVisible();
  await app.page.getByRole('button', { name: 'Logout' }).click();
  await app.enter(OMAR);
  await expect(app.page.getByText(OMAR.name)).toBeVisible();
  await device.kill();

  await proxy.refuse();
  await device.start();
  const after = new App(await device.newPage(), proxy.origin);
  await after.open('/');
  await expect(after.page.getByText(OMAR.name)).toBeVisible();
  await expect(after.page.getByText(ADMINISTRATOR.name)).toHaveCount(0);
});
