import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { pdf, png } from '../harness/sample-files.ts';
import { expect, test } from '../harness/world.ts';

const generators = resourceOf('generators');
const sheet = pdf('sheet.pdf', 1);
const photos = [png('front.png', 1), png('side.png', 2), png('plate.png', 3)] as const;
const another = png('engine.png', 4);

test('a generator is created, listed, edited and deleted, and the administrator logs out', async ({ page, world }) => {
  const { data } = world.server;
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await expect(page).toHaveURL(`${app.origin}/`);

  const sidebar = page.getByRole('navigation', { name: 'Navigation' });
  await sidebar.getByRole('button', { name: 'Generators', exact: true }).click();
  await sidebar.getByRole('link', { name: 'Create New' }).click();
  await expect(page).toHaveURL(/\/generator-create$/);
  await app.fill(generators.fields, {
    brand: 'Perkins',
    capacity: '500 kVA',
    generator_model: 'PX-500',
    engine_model: '2506C',
    alternator_model: 'LL5014',
    origin: 'United Kingdom',
    series: { option: 1 },
    catalog: [sheet],
    images: photos,
  });
  await app.submit();
  await app.tells('Generator Created Successfully');
  await expect(page).toHaveURL(/\/generator-all$/);
  await expect(app.row('Perkins')).toContainText('PX-500');
  const [created] = data.rows('generators');
  expect(created).toMatchObject({ id: 1, brand: 'Perkins', capacity: '500 kVA' });
  expect(data.receivedHash(created?.['catalog'])).toBe(sheet.sha256);
  expect(data.imageHashes('generators', 1)).toEqual(photos.map((photo) => photo.sha256));

  await app.row('Perkins').getByRole('link', { name: /^Edit/ }).click();
  await expect(page).toHaveURL(/\/generator-edit\/1$/);
  await expect(page.getByLabel('Capacity')).toHaveValue('500 kVA');
  // A photo can be deleted once the server has returned its id.
  await expect(page.getByRole('main').getByText(/^Updated/)).toBeVisible();
  await page.getByRole('button', { name: 'Delete photo 2' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await app.tells('Image Deleted Successfully');
  await page.getByLabel('Capacity').fill('550 kVA');
  await app.addPhotos(generators, [another]);
  await app.submit();
  await app.tells('Generator Updated Successfully');
  await expect(page).toHaveURL(/\/generator-all$/);
  expect(data.rows('generators')[0]).toMatchObject({ capacity: '550 kVA' });
  expect(data.imageHashes('generators', 1)).toEqual([photos[0].sha256, photos[2].sha256, another.sha256]);

  await app
    .row('Perkins')
    .getByRole('button', { name: /^Delete/ })
    .click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('Are you sure? You want to delete this generator?');
  await app.skipTimeToUndo();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(app.row('Perkins')).toHaveCount(0);
  expect(data.rows('generators')).toEqual([]);

  await page.getByRole('button', { name: 'Logout' }).click();
  await app.tells('Successfully Logged Out');
  await expect(page).toHaveURL(/\/login$/);
});
