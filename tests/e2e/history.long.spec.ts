import { generators } from '../../src/domain/resources/generators.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { storeRecord } from '../harness/seed.ts';
import { expect, test } from '../harness/world.ts';

const META = { title: 'First title', phone: '+88 01700 000000', email: 'office@example.com', address: 'Main Road 1' };

test('a record’s history shows who changed what, and an old version is restored by an ordinary save', async ({
  page,
  world,
}) => {
  const api = await Api.signIn(world.server.origin);
  await storeRecord(api, generators, 1, { engine_model: 'Old engine' });
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await app.open('/generator-edit/1');
  await page.getByText('History').click();
  const entries = page.getByRole('group').getByRole('listitem');
  await expect(entries).toHaveText([/Created by/]);

  await page.getByLabel('Engine model').fill('New engine');
  await app.submit();
  await app.tells('Generator Updated Successfully');
  await app.open('/generator-edit/1');
  await page.getByText('History').click();
  await expect(entries.first()).toContainText(/Changed by.*Engine model.*Old engine.*New engine/s);
  await expect(entries).toHaveCount(2);

  const bringBack = page.getByRole('button', { name: 'Restore this version' });
  await expect(bringBack).toHaveCount(1);
  await entries.last().getByRole('button').click();
  await expect(page.getByLabel('Engine model')).toHaveValue('Old engine');
  await app.submit();
  await expect(page).toHaveURL(/\/generator-all$/);
  await expect.poll(() => world.server.data.rows('generators')).toMatchObject([{ engine_model: 'Old engine' }]);
});

test('the site meta’s history is loaded when it is opened, and again after a save', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await app.open('/sete-meta-update');
  await app.fill(siteMeta.fields, META);
  await app.submit();
  await app.tells('Site Meta Updated Successfully');
  expect(asked).not.toContain('/api/history/site-meta/1');
  await page.getByText('History').click();
  const entries = page.getByRole('group').getByRole('listitem');
  await expect(entries.first()).toContainText(/Changed by.*Title.*First title/s);

  await page.getByLabel('Title', { exact: true }).fill('Second title');
  await app.submit();
  await expect(entries.first()).toContainText(/Title.*First title.*Second title/s);
  await expect(entries.first()).not.toContainText('Phone');
});

test('the history says that it needs the server, and appears once the server is back', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await app.open('/sete-meta-update');
  await expect(page.getByLabel('Title', { exact: true })).toBeVisible();
  await world.proxy.refuse();
  await page.getByText('History').click();
  await expect(page.getByText('History needs a connection.')).toBeVisible();
  await world.proxy.clear();
  await page.getByRole('group').getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('No history yet')).toBeVisible();
});
