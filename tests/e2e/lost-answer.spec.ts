import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { fillingOf } from '../harness/fillings.ts';
import { expect, test } from '../harness/world.ts';

const generators = resourceOf('generators');
const partners = resourceOf('partners');
const CREATE = `POST ${generators.endpoints.create}`;

test.use({ unhurriedForms: false });

test('a create whose answer was lost after the commit exists once', async ({ page, world }) => {
  const { server, proxy } = world;
  const app = new App(page, proxy.origin);
  await app.signIn();
  // Twice, because Chromium itself may repeat a request whose kept-alive connection ended before any answer.
  await proxy.strike({ kind: 'cut-answer', after: 0 }, { only: CREATE, times: 2 });
  await app.create(generators, { ...(await fillingOf(generators.fields, 1)), brand: 'Lost' });

  await expect(page).toHaveURL(/\/generator-all$/);
  await expect.poll(() => app.addressesOf('Lost')).toEqual(['/generator-edit/1']);
  expect(proxy.struck).toBeGreaterThan(0);
  const creates = () => proxy.requests.filter(({ line }) => line === CREATE);
  const sent = creates().length;
  // A later change is sent later: whatever was left of the first one would be sent before it.
  await app.create(partners, await fillingOf(partners.fields, 2));
  await expect.poll(() => server.data.rows('partners')).toHaveLength(1);
  expect(creates()).toHaveLength(sent);
  expect(new Set(creates().map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  expect(server.data.rows('generators')).toHaveLength(1);
});
