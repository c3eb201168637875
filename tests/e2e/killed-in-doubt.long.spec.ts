import { resourceOf } from '../../src/domain/resources/index.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { png } from '../harness/sample-files.ts';
import { storeRecord } from '../harness/seed.ts';
import { expect, test } from '../harness/world.ts';

const partners = resourceOf('partners');
const CREATE = `POST ${partners.endpoints.create}`;
const logo = png('logo.png', 1);

test('a refused change keeps its reason and its file after the browser is killed', async ({ device, world }) => {
  const { proxy, server } = world;
  const body = '{"message":"The site is closed today."}';
  const head = `HTTP/1.1 403 Forbidden\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  const first = new App(await device.newPage(), proxy.origin);
  await first.signIn();
  await first.workerReady();
  await proxy.refuse();
  await first.createUnsent(partners, { name: 'Volt Brothers', image: [logo] });
  await first.open('/outbox');
  await proxy.strike({ kind: 'answer', answer: head + body }, { only: CREATE });
  await first.sendNow();
  await expect(first.page.getByRole('listitem').filter({ hasText: 'Refused by the server' })).toBeVisible();
  await device.kill();

  await device.start();
  await proxy.clear();
  const app = new App(await device.newPage(), proxy.origin);
  await app.open('/outbox');
  const entry = app.page.getByRole('listitem').filter({ hasText: 'Volt Brothers' });
  await expect(entry).toContainText('The site is closed today.');
  expect(server.data.rows('partners')).toEqual([]);
  await entry.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => server.data.rows('partners').length).toBe(1);
  expect(server.data.receivedHash(server.data.rows('partners')[0]?.['image'])).toBe(logo.sha256);
});

test('a change in conflict can still be resolved after the browser is killed', async ({ device, world }) => {
  const { proxy, server } = world;
  const api = await Api.signIn(server.origin);
  await storeRecord(api, partners, 1, { name: 'Before' });
  const first = new App(await device.newPage(), proxy.origin);
  await first.signIn();
  await first.workerReady();
  await first.open('/partner-edit/1');
  await expect(first.page.getByLabel('Name')).toHaveValue('Before');
  await first.page.getByLabel('Name').fill('Mine');
  await api.post('/api/get-single-partner/1', [['name', 'Theirs']]);
  await first.submit();
  await expect(first.page).toHaveURL(/\/outbox\/conflict\//);
  await device.kill();

  await device.start();
  const app = new App(await device.newPage(), proxy.origin);
  await app.open('/outbox');
  await app.page.getByRole('link', { name: 'Compare' }).click();
  await app.page.getByRole('group', { name: /^Name/ }).getByRole('radio', { name: /^Mine/ }).check();
  await app.page.getByRole('button', { name: 'Save choices' }).click();
  await expect.poll(() => server.data.rows('partners')[0]?.['name']).toBe('Mine');
});
