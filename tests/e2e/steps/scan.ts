import type { Page } from '@playwright/test';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { Api } from '../../harness/api.ts';
import { App } from '../../harness/app.ts';
import { labelWith } from '../../harness/label-photo.ts';
import { storeRecord } from '../../harness/seed.ts';
import type { World } from '../../harness/world.ts';

export async function scan(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Scan a code' }).click();
  await page.getByLabel('Use a photo').setInputFiles(await labelWith(text));
}

/** The app, signed in to a server with two street lights: SL-100 and SL-200. */
export async function withTwoLights(page: Page, world: World): Promise<App> {
  const api = await Api.signIn(world.server.origin);
  for (const seed of [1, 2]) await storeRecord(api, resourceOf('street-lights'), seed, { model: `SL-${seed}00` });
  return App.signedIn(page, world);
}
