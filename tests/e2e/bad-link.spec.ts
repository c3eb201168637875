import { connect } from 'node:net';
import { CHANGES_PATH } from '../../src/domain/protocol/capabilities.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import type { FaultProxy, WireRequest } from '../harness/fault-proxy.ts';
import { png } from '../harness/sample-files.ts';
import { expect, test } from '../harness/world.ts';

const partners = resourceOf('partners');
const CREATE = `POST ${partners.endpoints.create}`;
const MEGABYTE = 1024 * 1024;
const BODY = '{"message":"Nothing was carried out under this key."}';
/** What the question after a change by its key is answered with, so that the change itself goes out once more. */
const UNKNOWN_KEY = `HTTP/1.1 404 Not Found\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`;

test.use({ unhurriedForms: false });

test('twenty changes with files of 5 MB get through a link that is cut every few megabytes', async ({
  page,
  world,
}) => {
  test.setTimeout(480_000);
  const { proxy, server } = world;
  const app = new App(page, proxy.origin);
  await app.signIn();
  await app.workerReady();
  await proxy.refuse();
  const logos = Array.from({ length: 20 }, (_, index) => png(`logo ${index}.png`, index, 5 * MEGABYTE));
  await app.createUnsent(partners, ...logos.map((logo, index) => ({ name: `Partner ${index}`, image: [logo] })));

  await proxy.clear();
  // No multiple of a file's size, so that each cut comes at another place of a file.
  proxy.cutEach(18 * MEGABYTE);
  await app.linkReturns();
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
  await cutAnswer(proxy, 10);
  await app.create(partners, { name: 'Cut', image: [png('logo.png', 1)] });
  await expect(page).toHaveURL(/\/partner-all$/, { timeout: 30_000 });
  // Until it is carried out, the answer to the same request is that it is under way.
  await expect.poll(() => server.data.rows('partners')).toHaveLength(1);
  const length = await answerLength(server.port, await sent);

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
  await expect(page.getByText('All changes sent')).toBeVisible({ timeout: 30_000 });
  expect(server.data.rows('partners')).toHaveLength(1);
});

async function cutAnswer(proxy: FaultProxy, after: number): Promise<void> {
  await proxy.strike({ kind: 'cut-answer', after }, { only: CREATE });
  proxy.strikeToo({ kind: 'answer', answer: UNKNOWN_KEY }, { only: `GET ${CHANGES_PATH}/` });
}

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
