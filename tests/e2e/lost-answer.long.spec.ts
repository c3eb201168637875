import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { fillingOf } from '../harness/fillings.ts';
import { expect, test } from '../harness/world.ts';

const generators = resourceOf('generators');
const CREATE = `POST ${generators.endpoints.create}`;

test.use({ unhurriedForms: false });

test('a create whose answer never comes is listed once, before and after the link is back', async ({ page, world }) => {
  const { server, proxy } = world;
  const app = new App(page, proxy.origin);
  await app.signIn();
  await proxy.strike({ kind: 'stall-answer' }, { only: CREATE });
  await app.create(generators, { ...(await fillingOf(generators.fields, 2)), brand: 'Stalled' });
  await app.tells('Saved on this device.');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect.poll(() => app.addressesOf('Stalled')).toEqual(['/generator-edit/1']);
  await proxy.clear();

  await expect.poll(() => app.addressesOf('Stalled')).toEqual(['/generator-edit/1']);
  expect(server.data.rows('generators')).toHaveLength(1);
});
