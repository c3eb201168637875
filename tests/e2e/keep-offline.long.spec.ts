import type { Page } from '@playwright/test';
import { expectAccessible } from '../harness/axe.ts';
import { expect, test } from '../harness/world.ts';
import { replaceCatalogue, openList, keptFiles, expectCatalogue, ups } from './steps/keep-offline.ts';

async function openDialog(page: Page) {
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Keep catalogues offline' }).click();
  return page.getByRole('dialog', { name: 'Catalogues offline' });
}

test('all catalogues of a kind open offline, follow the server, and are removed with one press', async ({
  page,
  world,
}) => {
  const { app, api } = await openList(page, world);
  const dialog = await openDialog(page);
  await expect(dialog.getByText(/^3 catalogues · \d+ kB$/)).toBeVisible();
  await expectAccessible(page, 'Catalogues offline');
  await dialog.getByRole('button', { name: 'Keep offline' }).click();
  await expect(dialog.getByText(/^3 of 3 on this device · \d+ kB$/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();

  await world.proxy.refuse();
  await expectCatalogue(app, 2, 'VERSION-1-OF-2');
  await expect(page.getByText('VERSION-1-OF-2.pdf')).toBeVisible();

  // another person changes one of them and deletes another
  await world.proxy.clear();
  await app.linkReturns();
  await replaceCatalogue(api, 2, 'VERSION-2-OF-2');
  await api.post(`${ups.endpoints.delete}/3`);
  await app.open('/ups-all');
  await expect(app.row('U3')).toBeHidden();
  await openDialog(page);
  await expect(dialog.getByText(/^2 of 2 on this device/)).toBeVisible();
  await world.proxy.refuse();
  await expectCatalogue(app, 2, 'VERSION-2-OF-2');

  await app.open('/ups-all');
  await openDialog(page);
  await dialog.getByRole('button', { name: 'Remove from this device' }).click();
  await expect(dialog.getByRole('button', { name: 'Remove from this device' })).toBeHidden();
  await expect.poll(() => page.evaluate(keptFiles)).toBe(0);
  await app.open('/ups-edit/2');
  await page.getByRole('link', { name: /^Open / }).click();
  await expect(page.getByText('This file is not on this device.')).toBeVisible();
});
