import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { cataloguePdf } from '../../../server/sample-data/pdf.ts';
import { isValue } from '../../../src/domain/fields.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { Api } from '../../harness/api.ts';
import { App } from '../../harness/app.ts';
import type { SampleFile } from '../../harness/sample-files.ts';
import { storeRecord } from '../../harness/seed.ts';
import { expect, type World } from '../../harness/world.ts';

export const ups = resourceOf('ups');

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
export async function replaceCatalogue(api: Api, id: number, heading: string): Promise<void> {
  const address = `${ups.endpoints.single}/${id}`;
  const record = (await api.get(address)) as Record<string, unknown>;
  const texts = ups.fields.filter(isValue).map(({ name }) => [name, String(record[name])] as const);
  await api.post(address, [...texts, ['catalog', catalogue(heading)]]);
}

/** Three UPS with a catalogue each, and the app on a device with all of their records. */
export async function openList(page: Page, world: World) {
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

/** Runs in the page: the number of kept catalogues. */
export async function keptFiles(): Promise<number> {
  const cache = await caches.open('voltdesk-catalogues');
  return (await cache.keys()).length;
}

/** Opens a record's catalogue in the viewer and expects these words on its first page. */
export async function expectCatalogue(app: App, id: number, words: string) {
  const { page } = app;
  await app.open(`/ups-edit/${id}`);
  await page.getByRole('link', { name: /^Open .*\.pdf/ }).click();
  await expect(page.getByRole('article', { name: 'Page 1' })).toContainText(words);
  await page.keyboard.press('Escape');
}
