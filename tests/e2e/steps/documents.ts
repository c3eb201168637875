import type { Page } from '@playwright/test';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { Api } from '../../harness/api.ts';
import { App } from '../../harness/app.ts';
import { storeRecord } from '../../harness/seed.ts';
import type { World } from '../../harness/world.ts';

const generators = resourceOf('generators');

/** The form of a generator that is cached on the device, with its worker. */
export async function openGenerator(page: Page, world: World): Promise<App> {
  await storeRecord(await Api.signIn(world.server.origin), generators, 1, { brand: 'Perkins' });
  const app = await App.signedIn(page, world);
  await app.bringAlong(generators, 1);
  return app;
}
