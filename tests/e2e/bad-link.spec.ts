import { connect } from 'node:net';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import type { WireRequest } from '../harness/fault-proxy.ts';
import { png } from '../harness/sample-files.ts';
import { expect, test } from '../harness/world.ts';

const partners = resourceOf('partners');
const CREATE = `POST ${partners.endpoints.create}`;
const MEGABYTE = 1024 * 1024;

test('twenty changes with files of 5 MB get through a link that is cut every few seconds', async ({ page, world }) => {
  test.setTimeout(480_000);
  const { proxy, server } = world;
  const app = new App(page, proxy.origin);
  await app.signIn();
  await app.workerReady();
  await proxy.refuse();
  const logos = Array.from({ length: 20 }, (_, index) => png(`logo ${index}.png`, index, 5 * MEGABYTE));
  for (const [index, logo] of logos.entries()) {
    await app.create(partners, { name: `Partner ${index}`, image: [logo] });
    await expect(page).toHaveURL(/\/partner-all$/, { timeout: 30_000 });
  }

  await proxy.strike({ kind: 'throttle', bytesPerSecond: 12 * MEGABYTE });
  proxy.cutEvery(3000);
  await expect.poll(() => server.data.rows('partners').length, { timeout: 300_000 }).toBe(20);
  const rows = server.data.rows('partners');
  expect(rows.map((row) => row['name'])).toEqual(logos.map((_, index) => `Partner ${index}`));
  expect(rows.map((row) => server.data.receivedHash(row['image']))).toEqual(logos.map((logo) => logo.sha256));
});

test('an answer cut at every tenth byte never passes for a success and never makes a second record', async ({
  page,
  world,
}) => {
  test.setTimeout(240_000);
  const { proxy, server } = world;
  const app = new App(page, proxy.origin);
  await app.signIn();
  await app.workerReady();
  const sent = proxy.next(CREATE);
  await proxy.strike({ kind: 'cut-answer', after: 10 }, { only: CREATE });
  await app.create(partners, { name: 'Cut', image: [png('logo.png', 1)] });
  await expect(page).toHaveURL(/\/partner-all$/, { timeout: 30_000 });
  const length = await answerLength(server.port, await sent);

  await app.open('/outbox');
  const change = page.getByRole('region', { name: 'Waiting on this device' }).getByRole('listitem');
  for (let after = 20; after < length; after += 10) {
    const struck = proxy.struck;
    await proxy.strike({ kind: 'cut-answer', after }, { only: CREATE });
    await page.getByRole('button', { name: 'Send now' }).first().click();
    await expect.poll(() => proxy.struck, { intervals: [20] }).toBeGreaterThan(struck);
    await expect(change, `cut after ${after} of ${length} bytes`).not.toContainText('Being sent');
    await expect(change, `cut after ${after} of ${length} bytes`).toHaveCount(1);
  }
  await proxy.clear();
  await page.getByRole('button', { name: 'Send now' }).first().click();
  await expect(page.getByText('Everything is sent')).toBeVisible({ timeout: 30_000 });
  expect(server.data.rows('partners')).toHaveLength(1);
});

/** How many bytes the server answers to this request, sent once more as it was. */
async function answerLength(port: number, { line, headers, body }: WireRequest): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  const head = [...headers].filter(([name]) => name !== 'connection').map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${line} HTTP/1.1\r\n${head.join('')}connection: close\r\n\r\n`);
  socket.write(body);
  let length = 0;
  for await (const chunk of socket) length += (chunk as Buffer).length;
  return length;
}
