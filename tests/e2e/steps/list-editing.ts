import type { Page } from '@playwright/test';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { Api } from '../../harness/api.ts';
import { App } from '../../harness/app.ts';
import { storeRecord } from '../../harness/seed.ts';
import { expect, type World } from '../../harness/world.ts';

const lights = resourceOf('street-lights');

/** A list of lamps of 10, 20 and 30 W in another order than by capacity. */
export async function listOf({ server, proxy }: World, page: Page): Promise<App> {
  const api = await Api.signIn(server.origin);
  for (const [seed, capacity] of [30, 10, 20].entries()) {
    await storeRecord(api, lights, seed + 1, {
      brand: `Lamp ${capacity}`,
      capacity: `${capacity} W`,
      model: `M${capacity}`,
      origin: 'Japan',
    });
  }
  const app = await App.signedIn(page, { proxy });
  await app.open('/st-all');
  await expect(page.locator('.list-body[data-editable] [data-row]')).toHaveCount(3);
  return app;
}
