import type { Locator, Page } from '@playwright/test';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { Api } from './api.ts';
import { App } from './app.ts';
import { storeRecord } from './seed.ts';
import { expect, type World } from './world.ts';

const sliders = resourceOf('sliders');

/** Stores three slides, signs in and opens their order. Returns its rows. */
export async function slideOrder(page: Page, { server, proxy }: World): Promise<Locator> {
  const app = new App(page, proxy.origin);
  const api = await Api.signIn(server.origin);
  for (const [at, text] of ['One', 'Two', 'Three'].entries()) {
    await storeRecord(api, sliders, at + 1, { text, serial: String(at + 1) });
  }
  await app.signIn();
  await app.open('/slider-all');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Change the order' }).click();
  const lines = page.getByRole('dialog').getByRole('listitem');
  await expect(lines).toContainText(['One', 'Two', 'Three']);
  return lines;
}
