import { resourceOf } from '../../src/domain/resources/index.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { png } from '../harness/sample-files.ts';
import { storeRecord } from '../harness/seed.ts';
import { expect, test } from '../harness/world.ts';

const partners = resourceOf('partners');
const image = [png('logo.png', 1)];

test('discarding a change asks once and leaves everything else', async ({ page, world }) => {
  const { proxy } = world;
  const app = await App.signedIn(page, { proxy });
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

test('two changes of one field are compared, and the chosen value is sent', async ({ page, world }) => {
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

test('conflicting versions are aligned in columns, with text differences marked and pictures side by side', async ({
  page,
  world,
}) => {
  const { proxy, server } = world;
  const projects = resourceOf('projects');
  const words = 'Forty panels on the roof of the mill, with two inverters.';
  const api = await Api.signIn(server.origin);
  await storeRecord(api, projects, 1, { project_name: 'The mill', description: words });
  const stored: Record<string, unknown> = server.data.rows('projects')[0] ?? {};
  const app = new App(page, proxy.origin);
  await app.signIn();
  await app.open('/project-edit/1');
  await expect(page.getByLabel('Description')).toHaveValue(words);
  await page.getByLabel('Description').fill(words.replace('two', 'three'));
  await app.fill(projects.fields, { image: [png('mine.png', 3)] });
  await api.post('/api/get-single-project/1', [
    ...['client_name', 'type', 'capacity', 'project_name'].map((name): [string, string] => [
      name,
      String(stored[name]),
    ]),
    ['description', words.replace('Forty', 'Fifty')],
    ['image', png('theirs.png', 4)],
  ]);
  await app.submit();
  const field = page.getByRole('group', { name: /^Description/ });
  await expect(field.locator('ins')).toHaveText(['three', 'Fifty']);
  const picture = page.getByRole('group', { name: /^Client logo/ });
  await expect(picture.getByRole('radio')).toHaveCount(2);
  const middles = () =>
    picture
      .locator('.conflict-image')
      .evaluateAll((all) =>
        all.map((shown) => shown.getBoundingClientRect()).map(({ top, height }) => Math.round(top + height / 2)),
      );
  await expect(picture.locator('.conflict-image')).toHaveCount(3);
  await expect.poll(async () => new Set(await middles()).size).toBe(1);
  for (const side of ['Mine', 'Theirs']) {
    const choices = page.locator('label.conflict-choice').filter({ hasText: side });
    const lefts = () => choices.evaluateAll((all) => all.map((choice) => choice.getBoundingClientRect().left));
    await expect(choices).toHaveCount(2);
    await expect.poll(async () => new Set(await lefts()).size).toBe(1);
  }
  await expect(page.locator('.conflict-before').filter({ has: page.locator('input') })).toHaveCount(0);
  // the buttons stay in view, except where they would cover half of a low window
  const save = page.getByRole('button', { name: 'Save choices' });
  const scrolledUpAt = async (height: number) => {
    await page.setViewportSize({ width: 1280, height });
    await page.evaluate(() => scrollTo(0, 0));
    return expect(save);
  };
  await (await scrolledUpAt(520)).toBeInViewport({ ratio: 1 });
  await (await scrolledUpAt(400)).not.toBeInViewport();
  await page.getByRole('button', { name: 'All mine' }).click();
  await save.click();
  // its entry stays there until it is confirmed, under the same name
  const receipt = page.getByRole('listitem').filter({ hasText: 'Updated project · 1 file' });
  await expect(receipt.getByRole('list', { name: 'What changed' })).toContainText('three');
  await expect(receipt.locator('img')).toBeVisible();
  await receipt.getByRole('link', { name: 'The mill' }).click();
  await expect(page.getByLabel('Description')).toHaveValue(words.replace('two', 'three'));
});

test('a form left before the answer loses nothing, even if the answer is a refusal', async ({ page, world }) => {
  const app = await App.signedIn(page, world);
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
