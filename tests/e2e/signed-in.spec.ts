import { App } from '../harness/app.ts';
import { expect, test } from '../harness/world.ts';

test('after a log-out and a kill nobody is signed in, and cached data is gone', async ({
  device,
  world: { proxy },
}) => {
  const before = new App(await device.newPage(), proxy.origin);
  await before.signIn();
  await before.workerReady();
  await device.restart();
  const app = new App(await device.newPage(), proxy.origin);
  await app.open('/partner-all');
  await app.keepsCopy('list/partners');
  await app.page.getByRole('button', { name: 'Logout' }).click();
  await expect(app.page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await app.tells('Successfully Logged Out');
  await device.kill();

  await proxy.refuse();
  await device.start();
  const after = new App(await device.newPage(), proxy.origin);
  await after.open('/partner-all');
  await expect(after.page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect(await after.copiesOnDevice()).toEqual([]);
});
