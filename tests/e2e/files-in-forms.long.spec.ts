import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { fillingOf } from '../harness/fillings.ts';
import { pdf, plainText, png } from '../harness/sample-files.ts';
import { expect, test } from '../harness/world.ts';

const generators = resourceOf('generators');
const partners = resourceOf('partners');
const sliders = resourceOf('sliders');

test('chosen images add up, can be removed again and can be enlarged', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await app.open('/generator-create');
  await app.addPhotos(generators, [png('one.png', 1), png('two.png', 2)]);
  await app.addPhotos(generators, [png('three.png', 3)]);
  await page.getByRole('button', { name: 'Remove two.png' }).click();
  await expect(page.getByRole('button', { name: /^Enlarge / })).toHaveCount(2);

  const large = page.getByRole('dialog');
  const open = async () => {
    await page.getByRole('button', { name: 'Enlarge three.png' }).click();
    await expect(large.getByRole('img', { name: 'three.png' })).toBeVisible();
  };
  await open();
  await large.getByRole('button', { name: 'Close' }).click();
  await expect(large).toBeHidden();
  await open();
  await page.keyboard.press('Escape');
  await expect(large).toBeHidden();
  await open();
  await page.mouse.click(5, 5);
  await expect(large).toBeHidden();
});

test('a single-image form replaces its preview, next to the previous image', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await app.create(partners, { name: 'Volt', image: [png('old.png', 1)] });
  await app.row('Volt').getByRole('link', { name: /^Edit/ }).click();
  await expect(page.getByRole('heading', { name: 'Previous image' })).toBeVisible();
  await app.fill(partners.fields, { image: [png('first.png', 2)] });
  await app.fill(partners.fields, { image: [png('second.png', 3)] });
  await expect(page.getByRole('button', { name: 'Remove first.png' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Enlarge / })).toHaveCount(2);
});

test('each refused field says why, nothing is lost, and the next submit clears the errors', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await app.open('/slider-create');
  await app.fill(sliders.fields, { text: 'x'.repeat(300), image: [png('slide.png', 1)] });
  await app.submit();
  await app.tells('The given data was invalid.');
  const text = page.getByLabel('Text', { exact: true });
  const serial = page.getByLabel('Serial', { exact: true });
  await expect(text).toHaveAttribute('aria-invalid', 'true');
  await expect(text).toHaveAccessibleDescription('The text must not be greater than 255 characters.');
  await expect(serial).toHaveAccessibleDescription('The serial field is required.');
  await expect(page.getByRole('button', { name: 'Remove slide.png' })).toBeVisible();

  await text.fill('Solar');
  await app.submit();
  await expect(text).toHaveAttribute('aria-invalid', 'false');
  await expect(serial).toHaveAttribute('aria-invalid', 'true');
  await serial.fill('4');
  await app.submit();
  await app.tells('Slider Created Successfully');
});

test('a failure other than a 422 shows its message and marks no field', async ({ page, world }) => {
  const { proxy } = world;
  const body = '{"message":"The site is closed today."}';
  const head = `HTTP/1.1 403 Forbidden\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  const app = new App(page, proxy.origin);
  await app.signIn();
  await app.open('/partner-create');
  await app.fill(partners.fields, await fillingOf(partners.fields, 1));
  await proxy.strike({ kind: 'answer', answer: head + body }, { only: `POST ${partners.endpoints.create}` });
  await app.submit();
  await app.tells('The site is closed today.');
  await expect(page.locator('[aria-invalid=true]')).toHaveCount(0);
});

test('a file of a wrong type is refused with an explanation when it is picked', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await app.open('/generator-create');
  await app.fill(generators.fields, { brand: 'Kept', catalog: [pdf('sheet.pdf', 1)] });
  const words = plainText('notes.txt', 'words');
  await page.getByLabel('Images', { exact: true }).setInputFiles([{ ...words }]);
  await expect(page.getByText(/notes\.txt.*isn’t a supported type/)).toBeVisible();
  await expect(page.getByLabel('Brand')).toHaveValue('Kept');
  await expect(page.getByRole('button', { name: 'Remove sheet.pdf' })).toBeVisible();
});
