import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { cataloguePdf } from '../../server/sample-data/pdf.ts';
import { isValue } from '../../src/domain/fields.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { expectAccessible } from '../harness/axe.ts';
import type { SampleFile } from '../harness/sample-files.ts';
import { storeRecord } from '../harness/seed.ts';
import { expect, test, type World } from '../harness/world.ts';

const ups = resourceOf('ups');

function catalogue(heading: string): SampleFile {
  const buffer = cataloguePdf({
    heading,
    under: 'Online 20 kVA',
    facts: [['Topology', heading]],
    colour: [0.1, 0.5, 0.3],
  });
  const sha256 = createHash('sha256').update(buffer).digest('hex');
  return { name: `${heading}.pdf`, mimeType: 'application/pdf', buffer, sha256 };
}

/** Another person replaces a record's catalogue. */
async function replaceCatalogue(api: Api, id: number, heading: string): Promise<void> {
  const address = `${ups.endpoints.single}/${id}`;
  const record = (await api.get(address)) as Record<string, unknown>;
  const texts = ups.fields.filter(isValue).map(({ name }) => [name, String(record[name])] as const);
  await api.post(address, [...texts, ['catalog', catalogue(heading)]]);
}

/** Three UPS with a catalogue each, and the app on a device with all of their records. */
async function openList(page: Page, world: World) {
  const api = await Api.signIn(world.server.origin);
  const ids = ['ONE', 'TWO', 'THREE'].map((_, at) => at + 1);
  for (const id of ids) {
    await storeRecord(api, ups, id, { model: `U${id}` });
    await replaceCatalogue(api, id, `VERSION-1-OF-${id}`);
  }
  const app = await App.signedIn(page, world);
  await app.keepsCopy('whole/ups');
  await app.open('/ups-all');
  return { app, api };
}

async function openDialog(page: Page) {
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Keep catalogues offline' }).click();
  return page.getByRole('dialog', { name: 'Catalogues offline' });
}

/** Runs in the page: the number of kept catalogues. */
async function keptFiles(): Promise<number> {
  const cache = await caches.open('voltdesk-catalogues');
  return (await cache.keys()).length;
}

/** Opens a record's catalogue in the viewer and expects these words on its first page. */
async function expectCatalogue(app: App, id: number, words: string) {
  const { page } = app;
  await app.open(`/ups-edit/${id}`);
  await page.getByRole('link', { name: /^Open .*\.pdf/ }).click();
  await expect(page.getByRole('article', { name: 'Page 1' })).toContainText(words);
  await page.keyboard.press('Escape');
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

test('one record’s catalogue is kept from its form and leaves the device with a log-out', async ({ page, world }) => {
  const { app } = await openList(page, world);
  await app.open('/ups-edit/1');
  const keep = page.getByRole('button', { name: /^Keep .* offline$/ });
  await keep.click();
  await expect(page.getByText(/· On this device/)).toBeVisible();
  await expect(keep).toHaveAttribute('aria-pressed', 'true');
  await expectAccessible(page, 'A catalogue that is kept');

  await world.proxy.refuse();
  await expectCatalogue(app, 1, 'VERSION-1-OF-1');
  await app.open('/ups-edit/2');
  await page.getByRole('link', { name: /^Open / }).click();
  await expect(page.getByText('This file is not on this device.')).toBeVisible();

  await world.proxy.clear();
  await app.open('/');
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
  // the sign-in may show while the files are still being removed
  await expect.poll(() => page.evaluate(keptFiles)).toBe(0);
  await app.enter();
  await expect(page.getByRole('banner').first()).toBeVisible();
  await app.open('/ups-edit/1');
  await expect(keep).toHaveAttribute('aria-pressed', 'false');
});
