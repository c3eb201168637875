import { STAGING_PATH } from '../../src/domain/protocol/staging.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { png } from '../harness/sample-files.ts';
import { expect, test } from '../harness/world.ts';

const partners = resourceOf('partners');
const PIECE = `PATCH ${STAGING_PATH}`;
const KB = 1000;
const SMALL = ['One', 'Two', 'Three'];

test.use({ unhurriedForms: false });

test('a file that takes longer than the link ever lasts arrives whole', async ({ page, world }) => {
  const { proxy, server } = world;
  const app = await App.signedIn(page, { proxy });
  await proxy.refuse();
  const logo = png('logo.png', 1, 600 * KB);
  await app.createUnsent(partners, { name: 'Large', image: [logo] });

  await proxy.clear();
  proxy.cutEach(130 * KB);
  await app.linkReturns();
  await expect.poll(() => server.data.rows('partners').length, { timeout: 90_000 }).toBe(1);
  const [row] = server.data.rows('partners');
  expect(server.data.receivedHash(row?.['image'])).toBe(logo.sha256);
});

test('small changes saved while a large file travels are sent after its current piece, not after the file', async ({
  page,
  world,
}) => {
  const { proxy, server } = world;
  const app = await App.signedIn(page, { proxy });
  const logo = png('logo.png', 1, 1_600 * KB);
  const second = proxy.next(PIECE, 2);
  await proxy.strike({ kind: 'hold' }, { only: PIECE });
  proxy.release(1);
  await app.create(partners, { name: 'Large', image: [logo] });
  await expect(page).toHaveURL(/\/partner-all$/);
  await second;
  for (const [index, name] of SMALL.entries()) {
    await app.create(partners, { name, image: [png(`${name}.png`, index + 2)] });
    await expect(page).toHaveURL(/\/partner-all$/);
  }
  expect(server.data.rows('partners')).toEqual([]);

  proxy.release(1);
  await expect.poll(() => server.data.rows('partners').map((row) => row['name'])).toEqual(SMALL);
  proxy.release();
  await expect.poll(() => server.data.rows('partners').length).toBe(SMALL.length + 1);
  expect(server.data.receivedHash(server.data.rows('partners').at(-1)?.['image'])).toBe(logo.sha256);
});
