import { trashedFileAddress } from '../../src/domain/protocol/trash.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { App } from '../harness/app.ts';
import { expectAccessible } from '../harness/axe.ts';
import { fillingOf } from '../harness/fillings.ts';
import { expect, test } from '../harness/world.ts';

test('a deleted record goes to the trash with its photos, and comes back to the list from there', async ({
  page,
  world,
}) => {
  const { server } = world;
  const app = await App.signedIn(page, world);
  await app.create(generators, { ...(await fillingOf(generators.fields, 1)), brand: 'Perkins' });
  await expect.poll(() => server.data.rows('generators').length).toBe(1);
  const hashes = server.data.imageHashes('generators', 1);
  await app.open('/generator-all');
  await app.skipTimeToUndo();
  await page.getByRole('button', { name: /^Delete Perkins/ }).click();
  await expect(page.getByRole('alertdialog')).toContainText('It stays in the trash for 30 days');
  await app.answer('Delete');
  await expect.poll(() => server.data.rows('generators').length).toBe(0);

  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Trash' }).click();
  const line = page.getByRole('listitem').filter({ hasText: 'Perkins' });
  await expect(line).toContainText(/Deleted by .+30 days left/);
  await expect(line.locator('img')).toBeVisible();
  await expectAccessible(page, 'the trash');
  const [picture] = server.data.query("SELECT name FROM files WHERE type LIKE 'image/%'");
  const status = await page.evaluate(
    async (path) => (await fetch(path)).status,
    trashedFileAddress(`${picture?.['name']}`),
  );
  expect(status).toBe(401);

  await line.getByRole('button', { name: /^Restore/ }).click();
  await app.tells('restored');
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
  expect(server.data.imageHashes('generators', 1)).toEqual(hashes);
  await page.goBack();
  const row = app.row('Perkins');
  await expect(row).toBeVisible();
  await expect(row.locator('img').first()).toBeVisible();
});
