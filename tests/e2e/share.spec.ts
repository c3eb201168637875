import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { expect, test } from '../harness/world.ts';

/** A picture of a single colour, drawn by the page itself so that every engine can read it. */
async function shareFromGallery(app: App, names: readonly string[]): Promise<void> {
  await app.page.evaluate(async (wanted) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 40, height: 30 });
    canvas.getContext('2d')?.fillRect(0, 0, 40, 30);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    const transfer = new DataTransfer();
    for (const name of wanted) transfer.items.add(new File([blob ?? ''], name, { type: 'image/png' }));
    // The share sheet's request: a form that is posted to the app, as declared in the manifest.
    const form = Object.assign(document.createElement('form'), {
      action: '/share',
      method: 'post',
      enctype: 'multipart/form-data',
    });
    const input = Object.assign(document.createElement('input'), { type: 'file', name: 'photos', multiple: true });
    input.files = transfer.files;
    form.append(input);
    document.body.append(form);
    form.submit();
  }, names);
  await app.page.waitForURL('**/share');
}

test('photos shared from the gallery start a new record, even without a server', async ({ page, world }) => {
  const app = await App.signedIn(page, world);
  await app.open('/about');
  await world.proxy.refuse();
  await shareFromGallery(app, ['roof.png', 'cable.png']);
  await expect(page.getByRole('heading', { name: 'Shared photos' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'roof.png' })).toBeVisible();

  const { label } = resourceOf('solar-panels');
  await page.getByRole('button', { name: `New ${label.one}` }).click();
  await expect(page).toHaveURL(/\/sp-create$/);
  await expect(page.getByRole('button', { name: 'Remove roof.png' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Remove cable.png' })).toBeVisible();

  await app.open('/share');
  await expect(page.getByText('Nothing was shared')).toBeVisible();
});
