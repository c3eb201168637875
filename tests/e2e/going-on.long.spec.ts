import { resourceOf } from '../../src/domain/resources/index.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { png } from '../harness/sample-files.ts';
import { ADMINISTRATOR } from '../harness/server.ts';
import { expect, test } from '../harness/world.ts';

const partners = resourceOf('partners');
const CREATE = `POST ${partners.endpoints.create}`;
const NAMES = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];
const PASSWORD = 'another long pass phrase';

test('an open form of a new record follows it to its server id and saves there', async ({ page, world }) => {
  const { proxy, server } = world;
  const app = await App.signedIn(page, { proxy });
  await proxy.refuse();
  await app.createUnsent(partners, { name: 'Followed', image: [png('logo.png', 1)] });
  await app.row('Followed').getByRole('link', { name: /^Edit/ }).click();
  await expect(page).toHaveURL(/\/partner-edit\/local-/);
  await page.getByLabel('Link').fill('https://typed.example');

  await proxy.clear();
  await app.linkReturns();
  await expect(page).toHaveURL(/\/partner-edit\/\d+$/);
  await expect(page.getByLabel('Link')).toHaveValue('https://typed.example');
  await app.submit();
  await expect.poll(() => server.data.rows('partners').map((row) => row['link'])).toEqual(['https://typed.example']);
});

test('a session that ends in the middle of a queue loses nothing: the rest is sent in order after the sign-in', async ({
  page,
  world,
}) => {
  const { proxy, server } = world;
  const app = await App.signedIn(page, { proxy });
  await proxy.refuse();
  // each file travels before its change, so that the changes are sent one by one
  const logos = NAMES.map((name, index) => png(`${name}.png`, index, 300_000));
  const fillings = NAMES.map((name, index) => ({ name, image: logos.slice(index, index + 1) }));
  await app.createUnsent(partners, ...fillings);
  const elsewhere = await Api.signIn(server.origin);
  const fourth = proxy.next(CREATE, 4);
  await proxy.strike({ kind: 'hold' }, { only: CREATE });
  proxy.release(3);
  await app.linkReturns();
  await fourth;
  await elsewhere.post('/api/change-password', [
    ['previous_password', ADMINISTRATOR.password],
    ['new_password', PASSWORD],
    ['new_password_confirmation', PASSWORD],
  ]);
  proxy.release();

  await app.open('/partner-all');
  await expect(page).toHaveURL(/\/login$/);
  expect(server.data.rows('partners').map((row) => row['name'])).toEqual(NAMES.slice(0, 3));
  await app.enter({ ...ADMINISTRATOR, password: PASSWORD });
  await expect.poll(() => server.data.rows('partners').map((row) => row['name'])).toEqual(NAMES);
  const hashes = server.data.rows('partners').map((row) => server.data.receivedHash(row['image']));
  expect(hashes).toEqual(logos.map(({ sha256 }) => sha256));
});
