import type { Page } from '@playwright/test';
import { CHANGES_PATH } from '../../src/domain/protocol/capabilities.ts';
import { routesOf } from '../../src/domain/resource.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import type { FaultProxy } from '../harness/fault-proxy.ts';
import { repeatRequest } from '../harness/repeat-request.ts';
import { onDisk, plainText, png, type SampleFile } from '../harness/sample-files.ts';
import { expect, test } from '../harness/world.ts';

const partners = resourceOf('partners');
const CREATE = `POST ${partners.endpoints.create}`;
const MEGABYTE = 1024 * 1024;
const BODY = '{"message":"Nothing was carried out under this key."}';
/** The answer to a lookup by key, so that the change itself is sent again. */
const UNKNOWN_KEY = `HTTP/1.1 404 Not Found\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`;

test.use({ unhurriedForms: false });

test('ten changes with files of 3 MB get through a link that is cut every few megabytes', async ({ page, world }) => {
  const { proxy, server } = world;
  const app = await App.signedIn(page, { proxy });
  await app.open(routesOf(partners).list);
  await app.keepsCopy('list/partners');
  await proxy.refuse();
  const logos = Array.from({ length: 10 }, (_, index) => png(`logo ${index}.png`, index, 3 * MEGABYTE));
  await importAll(page, logos);

  await proxy.clear();
  // Not a multiple of a file's size, so that each cut hits another place in a file.
  proxy.cutEach(7 * MEGABYTE);
  await app.linkReturns();
  await expect.poll(() => server.data.rows('partners').length, { timeout: 120_000 }).toBe(logos.length);
  // A file that was cut may be sent again after those of other records: their order is not guaranteed.
  const stored = server.data.rows('partners').map((row) => [row['name'], server.data.receivedHash(row['image'])]);
  expect(Object.fromEntries(stored)).toEqual(
    Object.fromEntries(logos.map(({ sha256 }, index) => [`Partner ${index}`, sha256])),
  );
});

test('an answer cut at every tenth byte never counts as a success and never creates a second record', async ({
  page,
  world,
}) => {
  const { proxy, server } = world;
  const app = await App.signedIn(page, { proxy });
  const sent = proxy.next(CREATE);
  await cutAnswer(proxy, 10);
  await app.create(partners, { name: 'Cut', image: [png('logo.png', 1)] });
  await expect(page).toHaveURL(/\/partner-all$/);
  // Until the change is executed, a repeated request gets the answer that it is in flight.
  await expect.poll(() => server.data.rows('partners')).toHaveLength(1);
  const { length } = await repeatRequest(server.port, await sent);

  await app.open('/outbox');
  const change = page.getByRole('region', { name: 'Waiting on this device' }).getByRole('listitem');
  for (let after = 20; after < length; after += 10) {
    const before = proxy.count(CREATE);
    await cutAnswer(proxy, after);
    await app.sendNow();
    await expect.poll(() => proxy.count(CREATE), { intervals: [20] }).toBeGreaterThan(before);
    await expect(change, `cut after ${after} of ${length} bytes`).not.toContainText('Sending');
    await expect(change, `cut after ${after} of ${length} bytes`).toHaveCount(1);
  }
  await proxy.clear();
  await app.sendNow();
  await expect(page.getByText('All changes sent')).toBeVisible();
  expect(server.data.rows('partners')).toHaveLength(1);
});

/** Saves a partner with each of these logos from one CSV file: a form for each would take minutes. */
async function importAll(page: Page, logos: readonly SampleFile[]): Promise<void> {
  const lines = ['name,image', ...logos.map(({ name }, index) => `Partner ${index},${name}`)];
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Import CSV' }).click();
  const files = [plainText('partners.csv', lines.join('\n')), ...logos];
  await page.getByLabel('CSV file and the files it names').setInputFiles(files.map(onDisk));
  await page.getByRole('button', { name: `Import ${logos.length} lines` }).click();
  // Each of them is read, hashed and stored.
  await expect(page.getByRole('dialog')).toHaveCount(0, { timeout: 120_000 });
}

async function cutAnswer(proxy: FaultProxy, after: number): Promise<void> {
  await proxy.strike({ kind: 'cut-answer', after }, { only: CREATE });
  proxy.strikeToo({ kind: 'answer', answer: UNKNOWN_KEY }, { only: `GET ${CHANGES_PATH}/` });
}
