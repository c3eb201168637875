import type { KillableBrowser } from '../../harness/browser.ts';
import type { FaultProxy } from '../../harness/fault-proxy.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { App } from '../../harness/app.ts';
import { png } from '../../harness/sample-files.ts';
import { expect, type World } from '../../harness/world.ts';

const partners = resourceOf('partners');
const CREATE = `POST ${partners.endpoints.create}`;
const logo = png('logo.png', 1);
const filling = { name: 'Volt Brothers', link: 'https://example.com', image: [logo] };

const BUSY =
  'HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 3\r\ncontent-length: 2\r\n\r\n{}';

/** Brings the change into each state in which the browser is killed. Resolves once it is there. */
const STATES = {
  'waits behind a change that found no server': async (app, { proxy }) => {
    await proxy.refuse();
    await app.createUnsent(partners, { ...filling, name: 'First' }, filling);
    await expect(app.row(filling.name)).toBeVisible();
  },
  'is being sent': async (app, { proxy }) => {
    await proxy.strike({ kind: 'stall' }, { only: CREATE });
    await sentBy(proxy, () => app.create(partners, filling));
  },
  'is stored by the server while the answer is on its way': async (app, { proxy, server }) => {
    await proxy.strike({ kind: 'stall-answer' }, { only: CREATE });
    await sentBy(proxy, () => app.create(partners, filling));
    await expect.poll(() => server.data.rows('partners')).toHaveLength(1);
  },
  'was cut within its body': async (app, { proxy }) => {
    await proxy.strike({ kind: 'cut-request', after: 1500 }, { only: CREATE });
    await app.create(partners, filling);
    await expect.poll(() => proxy.struck).toBeGreaterThan(0);
  },
  'was told to wait': async (app, { proxy }) => {
    await proxy.strike({ kind: 'answer', answer: BUSY }, { only: CREATE });
    await sentBy(proxy, () => app.create(partners, filling));
  },
  'was just answered': async (app, { server }) => {
    await app.create(partners, filling);
    await expect.poll(() => server.data.rows('partners'), { intervals: [5] }).toHaveLength(1);
  },
} satisfies Readonly<Record<string, (app: App, world: World) => Promise<void>>>;

async function sentBy(proxy: FaultProxy, save: () => Promise<unknown>): Promise<void> {
  const sent = proxy.next(CREATE);
  await save();
  await sent;
}

/** A state in which a change can be when its browser is killed. */
export type State = keyof typeof STATES;

/** Kills the browser once the change is in this state. After the restart the change arrives once and whole. */
export async function expectArrival(state: State, device: KillableBrowser, world: World): Promise<void> {
  const { proxy, server } = world;
  const first = new App(await device.newPage(), proxy.origin);
  await first.signIn();
  await first.workerReady();
  await STATES[state](first, world);
  await device.kill();

  await device.start();
  await proxy.clear();
  const app = new App(await device.newPage(), proxy.origin);
  await app.open('/partner-all');
  const sent = expect.stringMatching(/^\/partner-edit\/\d+$/);
  await expect.poll(() => app.addressesOf(filling.name)).toEqual([sent]);
  const rows = server.data.rows('partners').filter((one) => one['name'] === filling.name);
  expect(rows).toHaveLength(1);
  expect(server.data.receivedHash(rows[0]?.['image'])).toBe(logo.sha256);
}
