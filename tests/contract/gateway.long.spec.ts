import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect, test as base } from '@playwright/test';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { ContractOnlyBackend, listen } from '../harness/contract-only-server.ts';
import { FaultProxy, type WireRequest } from '../harness/fault-proxy.ts';
import { fillingOf } from '../harness/fillings.ts';
import { png } from '../harness/sample-files.ts';
import { TestServer } from '../harness/server.ts';
import { type Stored, storedByBackend } from './stored.ts';

const generators = resourceOf('generators');
const CREATE = `POST ${generators.endpoints.create}`;
const EDIT = `POST ${generators.endpoints.single}/1`;

/** A browser, a gateway and a stock back end, with fault injection on both links. */
interface Chain {
  readonly app: App;
  readonly gateway: TestServer;
  readonly link: FaultProxy;
  readonly backLink: FaultProxy;
  readonly stored: Stored;
}

const test = base.extend<{ readonly chain: Chain }>({
  chain: async ({ page }, provide, info) => {
    const backend = new ContractOnlyBackend();
    const peer = await listen(backend);
    const backLink = await FaultProxy.start(Number(new URL(peer.origin).port));
    const gateway = await TestServer.start({ settings: { API_URL: backLink.origin } });
    const link = await FaultProxy.start(gateway.port);
    const app = new App(page, link.origin);
    await app.signIn({ email: 'admin@example.com', password: 'password' });
    await app.workerReady();
    await provide({ app, gateway, link, backLink, stored: storedByBackend(backend) });
    await link.close();
    if (info.status !== info.expectedStatus) console.log(gateway.log);
    await gateway.remove();
    await backLink.close();
    await peer.close();
  },
});

test('creates one row when the gateway is killed between the back end’s commit and its answer', async ({ chain }) => {
  const { app, gateway, backLink, stored } = chain;
  await backLink.strike({ kind: 'stall-answer' }, { only: CREATE });
  await app.create(generators, { ...(await fillingOf(generators.fields, 1)), brand: 'Once' });
  await expect.poll(() => stored.rows('generators')).toHaveLength(1);
  await gateway.kill();
  await backLink.clear();
  await gateway.start();

  await app.open('/outbox');
  await expect(app.page.getByText('All changes sent')).toBeVisible({ timeout: 60_000 });
  await app.open('/generator-all');
  await expect.poll(() => app.addressesOf('Once')).toEqual(['/generator-edit/1']);
  expect(stored.rows('generators')).toHaveLength(1);
  expect(backLink.count(CREATE)).toBe(1);
});

test('adds each photo of an edit once when the edit arrives again, during delivery and after it was saved', async ({
  chain,
}) => {
  const { app, gateway, link, backLink, stored } = chain;
  const filling = { ...(await fillingOf(generators.fields, 2)), images: [png('first.png', 1)] };
  await app.create(generators, filling);
  await expect.poll(() => stored.imageHashes('generators', 1)).toHaveLength(1);
  await app.open('/generator-edit/1');
  const photos = [png('second.png', 2), png('third.png', 3)];
  await app.addPhotos(generators, photos);
  // The back end still holds the first request when its connection breaks.
  await backLink.strike({ kind: 'hold' }, { only: EDIT });
  const [sent, passedOn] = [link.next(EDIT), backLink.next(EDIT)];
  await app.submit();
  await passedOn;
  link.cut();
  // Chromium resends by itself only if the connection was reused, which is chance. The test resends it in any case.
  expect(await arriveAgain(gateway, await sent)).toBe(409);
  backLink.release();

  await app.open('/outbox');
  await expect(app.page.getByText('All changes sent')).toBeVisible({ timeout: 60_000 });
  expect(await arriveAgain(gateway, await sent)).toBe(200);
  const all = [...filling.images, ...photos].map(({ sha256 }) => sha256);
  expect(stored.imageHashes('generators', 1)).toEqual(all);
  const keys = link.requests.filter(({ line }) => line === EDIT).map(({ headers }) => headers.get('idempotency-key'));
  expect(new Set(keys).size).toBe(1);
});

/** Sends the same bytes to the gateway again, as a browser does when it resends a request. Returns the status. */
async function arriveAgain(gateway: TestServer, { line, headers, body }: WireRequest): Promise<number | undefined> {
  const [method, path] = line.split(' ');
  const again = request(gateway.origin + path, { method, headers: Object.fromEntries(headers), agent: false });
  again.end(body);
  const [answer] = (await once(again, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}
