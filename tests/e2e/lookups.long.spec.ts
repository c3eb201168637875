import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { Api } from '../harness/api.ts';
import { storeRecord } from '../harness/seed.ts';
import { expect, test } from '../harness/world.ts';

test('inverter brands depend on the type, and the last known lists are offered without a server', async ({
  page,
  world,
}) => {
  const { proxy } = world;
  const api = await Api.signIn(world.server.origin);
  const brandsOf = (type: string) => api.ask('/api/get-gti-brands', { type }) as Promise<string[]>;
  const single = await brandsOf('Single Phase');
  const three = await brandsOf('Three Phase');
  const app = await App.signedIn(page, { proxy });
  await app.open('/gti-create');
  const brand = page.getByLabel('Brand');
  const options = brand.getByRole('option');
  await page.getByLabel('Type').selectOption('Single Phase');
  await expect(options).toHaveText([/^Choose/, ...single]);
  await app.keepsCopy('lookup/gti-brands/Single Phase');
  await page.getByLabel('Type').selectOption('Three Phase');
  await expect(options).toHaveText([/^Choose/, ...three]);

  await app.open('/generator-create');
  await expect(page.getByLabel('Series').getByRole('option').nth(1)).toBeAttached();
  await app.open('/ups-create');
  await expect(page.getByLabel('Type').getByRole('option').nth(1)).toBeAttached();

  await proxy.refuse();
  await app.open('/gti-create');
  await page.getByLabel('Type').selectOption('Single Phase');
  await expect(options).toHaveText([/^Choose/, ...single]);
  await expect(brand).toHaveAccessibleDescription(/^Options from \d\d:\d\d \(offline\)/);
});

test('the project list requests pages until one brings nothing new', async ({ page, world }) => {
  const { proxy, server } = world;
  const api = await Api.signIn(server.origin);
  await storeRecord(api, resourceOf('projects'), 1, { project_name: 'Rooftop of the mill' });
  const app = new App(page, proxy.origin);
  await app.signIn();
  await app.open('/project-all');
  await expect(app.row('Rooftop of the mill')).toHaveCount(1);
  const lines = proxy.requests.map(({ line }) => line).filter((line) => line.startsWith('GET /api/get-projects'));
  expect(lines.some((line) => /[?&]page=1\b/.test(line))).toBe(true);
  expect(lines.some((line) => /[?&]page=9\b/.test(line))).toBe(false);
});
