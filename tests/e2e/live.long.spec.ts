import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { backUp } from '../../server/commands/backup.ts';
import { restore } from '../../server/commands/restore.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { png } from '../harness/sample-files.ts';
import { unhurried } from '../harness/unhurried.ts';
import { expect, test, type World } from '../harness/world.ts';

const LIST = '/partner-all';

/** A device that follows the feed, with the list of partners open. */
async function following(page: Page, { proxy }: World): Promise<App> {
  const app = new App(page, proxy.origin);
  await app.signIn();
  await app.workerReady();
  await app.keepsCopy('feed');
  await app.open(LIST);
  return app;
}

const row = ({ page }: App, name: string) => page.getByRole('main').getByText(name, { exact: true });

/** Without a live connection a device is up to date within a minute; this machine may be slow. Milliseconds. */
const UP_TO_DATE = { timeout: 90_000 };

const OWN_LINK = 'https://own.example.com';

/** Edits a partner's link on a device that cannot send it now. */
async function editLink(app: App, id: number): Promise<void> {
  const { page } = app;
  await app.open(`/partner-edit/${id}`);
  await page.getByLabel('Link', { exact: true }).fill(OWN_LINK);
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await page.waitForURL(`**${LIST}`);
}

async function signInAgain(app: App): Promise<void> {
  await app.open(LIST);
  await expect(app.page).toHaveURL(/\/login$/);
  await app.enter();
  await expect(app.page).toHaveURL(new RegExp(`${LIST}$`));
}

test('two devices with changes of their own follow another client live, after a cut and after a restore', async ({
  browser,
  page,
  world,
}) => {
  const { proxy, server } = world;
  const other = await browser.newContext({ baseURL: proxy.origin });
  await unhurried(other);
  const devices = [await following(page, world), await following(await other.newPage(), world)] as const;
  const client = await Api.signIn(server.origin);
  const add = async (name: string) =>
    (await client.post(partners.endpoints.create, [
      ['name', name],
      ['image', png(`${name}.png`, 1)],
    ])) as { id: number };

  const { id } = await add('Live');
  const gone = await add('Gone');
  for (const device of devices) for (const name of ['Live', 'Gone']) await expect(row(device, name)).toHaveCount(1);
  const backup = join(server.dataDir, 'backup.voltdesk');
  await backUp(server.dataDir, backup);

  await proxy.refuse();
  await client.post(`${partners.endpoints.single}/${id}`, [['name', 'Changed']]);
  await add('Added');
  await client.post(`${partners.endpoints.delete}/${gone.id}`, []);
  // the same record, here and elsewhere
  await editLink(devices[0], id);
  for (const [index, device] of devices.entries())
    await device.createUnsent(partners, { name: `Own ${index}`, image: [png(`own-${index}.png`, index)] });
  await proxy.clear();
  for (const device of devices) await device.linkReturns();
  for (const device of devices)
    for (const name of ['Changed', 'Added', 'Own 0', 'Own 1'])
      await expect(row(device, name)).toHaveCount(1, UP_TO_DATE);
  for (const device of devices) await expect(row(device, 'Gone')).toHaveCount(0, UP_TO_DATE);
  await expect.poll(() => server.data.rows('partners').length).toBe(4);
  await expect
    .poll(() => server.data.rows('partners').find((one) => one['id'] === id))
    .toMatchObject({
      name: 'Changed',
      link: OWN_LINK,
    });
  await devices[1].open(`/partner-edit/${id}`);
  await expect(devices[1].page.getByLabel('Link', { exact: true })).toHaveValue(OWN_LINK);
  await expect(devices[1].page.getByLabel('Name', { exact: true })).toHaveValue('Changed');

  await server.stop();
  for (const [index, device] of devices.entries())
    await device.createUnsent(partners, { name: `Late ${index}`, image: [png(`late-${index}.png`, index)] });
  await restore({ dataDir: server.dataDir, file: backup, now: Date.now() });
  await server.start();
  for (const device of devices) await signInAgain(device);
  for (const device of devices) {
    for (const name of ['Live', 'Gone', 'Late 0', 'Late 1']) await expect(row(device, name)).toHaveCount(1, UP_TO_DATE);
    await expect(row(device, 'Added')).toHaveCount(0);
  }
  expect(server.data.rows('partners').map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Live', 'Late 0', 'Late 1']),
  );
  await other.close();
});

test.describe('with a clock of its own', () => {
  test.use({ holds: 'session' });

  test('a device without a lasting connection is up to date within a minute', async ({ page, world }) => {
    await page.clock.install();
    await world.proxy.strike({ kind: 'cut-request', after: 0 }, { only: 'GET /api/feed/live' });
    const device = await following(page, world);
    const client = await Api.signIn(world.server.origin);
    await client.post(partners.endpoints.create, [
      ['name', 'Timed'],
      ['image', png('timed.png', 1)],
    ]);
    // A connection that breaks only now is followed by its own minute.
    const minuteLater = async () => {
      await page.clock.fastForward(61_000);
      await expect(row(device, 'Timed')).toHaveCount(1, { timeout: 10_000 });
    };
    await expect(minuteLater).toPass({ timeout: 60_000 });
    expect(world.proxy.struck).toBeGreaterThan(0);
  });
});
