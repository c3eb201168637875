import { resourceOf } from '../../src/domain/resources/index.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { png } from '../harness/sample-files.ts';
import { storeRecord } from '../harness/seed.ts';
import { expect, test } from '../harness/world.ts';

const partners = resourceOf('partners');

const image = [png('logo.png', 1)];

test('a change refused later opens with its values, files and errors, and is mended in its place', async ({
  page,
  world,
}) => {
  const { proxy, server } = world;
  const app = new App(page, proxy.origin);
  await app.signIn();
  await app.workerReady();
  await proxy.refuse();
  await app.createUnsent(partners, { name: 'Volt Brothers', link: 'no address', image });
  await app.open('/outbox');
  await expect(page.getByRole('listitem').filter({ hasText: 'Volt Brothers' })).toContainText('New partner');

  await proxy.clear();
  await app.sendNow();
  const entry = page.getByRole('listitem').filter({ hasText: 'Refused by the server' });
  await expect(entry).toContainText('The link must be a valid URL.');
  await entry.getByRole('link', { name: 'Edit' }).click();
  await expect(page.getByLabel('Link')).toHaveValue('no address');
  await expect(page.getByLabel('Link')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('button', { name: 'Remove logo.png' })).toBeVisible();
  await page.getByLabel('Link').fill('https://volt.example');
  await app.submit();
  await expect(app.toast('Partner Created Successfully')).toBeVisible();
  expect(server.data.rows('partners')).toMatchObject([{ name: 'Volt Brothers', link: 'https://volt.example' }]);
  expect(server.data.receivedHash(server.data.rows('partners')[0]?.['image'])).toBe(png('logo.png', 1).sha256);
});

test('a discarded change is gone after one question, and everything else stays', async ({ page, world }) => {
  const { proxy } = world;
  const app = new App(page, proxy.origin);
  await app.signIn();
  await app.workerReady();
  await proxy.refuse();
  await app.createUnsent(partners, { name: 'Kept', image }, { name: 'Given up', image });
  await app.open('/outbox');
  const entry = page.getByRole('listitem').filter({ hasText: 'Given up' });
  await entry.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('Given up');
  await app.answer('Discard');
  await expect(entry).toHaveCount(0);
  await expect(page.getByRole('listitem').filter({ hasText: 'Kept' })).toBeVisible();
});

test('a queue is carried from one device to another as a file', async ({ page, browser, world }) => {
  const { proxy, server } = world;
  const app = new App(page, proxy.origin);
  await app.signIn();
  await app.workerReady();
  await proxy.refuse();
  await app.createUnsent(partners, { name: 'Carried', image });
  await app.open('/outbox');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const file = await (await downloading).path();
  await page.close();

  await proxy.clear();
  const elsewhere = new App(await (await browser.newContext()).newPage(), proxy.origin);
  await elsewhere.signIn();
  await elsewhere.open('/outbox');
  await elsewhere.page.getByLabel('Queue file').setInputFiles(file);
  await expect(elsewhere.toast('1 change imported.')).toBeVisible();
  await expect.poll(() => server.data.rows('partners').length).toBe(1);
  expect(server.data.receivedHash(server.data.rows('partners')[0]?.['image'])).toBe(png('logo.png', 1).sha256);
  await elsewhere.page.context().close();
});

test('two changes of one field are compared, and what is chosen is sent', async ({ page, world }) => {
  const { proxy, server } = world;
  const api = await Api.signIn(server.origin);
  await storeRecord(api, partners, 1, { name: 'Before', link: 'https://before.example' });
  const app = new App(page, proxy.origin);
  await app.signIn();
  await app.open('/partner-edit/1');
  await expect(page.getByLabel('Name')).toHaveValue('Before');
  await page.getByLabel('Name').fill('Mine');
  await api.post('/api/get-single-partner/1', [
    ['name', 'Theirs'],
    ['link', 'https://theirs.example'],
  ]);
  await app.submit();
  await expect(page).toHaveURL(/\/outbox\/conflict\//);
  const name = page.getByRole('group', { name: /^Name/ });
  await expect(name).toContainText('Before');
  await expect(page.getByRole('group', { name: /^Link/ }).getByRole('radio', { name: /^Theirs/ })).toBeChecked();
  await expect(page.getByRole('button', { name: 'Save choices' })).toBeDisabled();
  await name.getByRole('radio', { name: /^Mine/ }).check();
  await page.getByRole('button', { name: 'Save choices' }).click();
  await expect
    .poll(() => server.data.rows('partners')[0])
    .toMatchObject({ name: 'Mine', link: 'https://theirs.example' });
});

test('a form left while its answer is on the way loses nothing, also when the answer is a refusal', async ({
  page,
  world,
}) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await app.workerReady();
  await world.proxy.strike({ kind: 'hold' }, { only: `POST ${partners.endpoints.create}` });
  const sent = world.proxy.next(`POST ${partners.endpoints.create}`);
  await app.create(partners, { name: 'Left early', link: 'no address', image });
  await sent;
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await expect(page).toHaveURL(`${app.origin}/`);
  world.proxy.release();
  await app.open('/outbox');
  const entry = page.getByRole('listitem').filter({ hasText: 'Left early' });
  await expect(entry).toContainText('Refused by the server');
  await entry.getByRole('link', { name: 'Edit' }).click();
  await expect(page.getByLabel('Link')).toHaveValue('no address');
  await expect(page.getByRole('button', { name: 'Remove logo.png' })).toBeVisible();
});
