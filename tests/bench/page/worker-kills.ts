import { cpSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { CDPSession, Page } from '@playwright/test';
import { TestServer } from '../../harness/server.ts';
import { buildPage } from '../kit/build-page.ts';
import { openDevice, type Tab } from '../kit/device.ts';
import { atMost, atMostTimes, type Figure } from '../kit/figure.ts';
import { type Link, openLink } from '../kit/link.ts';
import { recordNoise } from '../kit/noise.ts';
import type { Row } from '../kit/row.ts';
import { keepSession } from '../kit/our-subject.ts';
import { signIn } from '../kit/sign-in.ts';
import { arrived, BYTES, CUTS, hashesOf, KILLS, QUALITY, restarted, SETTINGS, storedHash } from './kills.ts';

/** Milliseconds. */
const PATIENCE = 10_000;

interface World {
  readonly server: TestServer;
  readonly link: Link;
  readonly tab: Tab;
}

type Experiments = Record<string, (...details: number[]) => Promise<number>>;

/** Sends the same file from the built app's own worker. The browser stops it in mid-piece, and its page wakes it. */
async function measure(): Promise<readonly Figure[]> {
  recordNoise();
  const lab = await buildPage('lab');
  const script = readdirSync(join(lab, 'assets')).find((name) => name.endsWith('.js')) ?? '';
  cpSync(realpathSync('dist'), lab, { recursive: true });
  const server = await TestServer.start({ settings: SETTINGS, appDir: lab });
  const link = await openLink(server.origin);
  const device = await openDevice();
  try {
    const tab = await device.openPage('body', 1);
    await openApp(tab.page, link.address, server.origin);
    await tab.page.evaluate((address) => import(address), `/assets/${script}`);
    await run(tab.page, 'save catalog', BYTES);
    return await throughEverything({ server, link, tab }, await storedHash(device));
  } finally {
    await device.close();
    await link.close();
    await server.remove();
  }
}

/** Opens the app on its start screen, signed in and controlled by its worker. */
async function openApp(page: Page, address: string, origin: string): Promise<void> {
  const { user, token } = await signIn(origin);
  await page.goto(`${address}/robots.txt`);
  await page.evaluate(keepSession, { user, token });
  await page.goto(address);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
}

async function throughEverything({ server, link, tab }: World, sha256: string): Promise<readonly Figure[]> {
  const { page, cdp } = tab;
  let byPage = 0;
  page.on('request', (request) => {
    if (request.method() === 'PATCH' && request.serviceWorker() === null) byPage += 1;
  });
  await cdp.send('ServiceWorker.enable');
  link.become(QUALITY);
  const before = link.carried();
  const began = performance.now();
  await wake(page);
  for (let event = 1; event <= CUTS + KILLS; event += 1) {
    await arrived(link, before + (event * BYTES) / (CUTS + KILLS + 1));
    if (event % 6 !== 0) link.cut();
    else if (event % 12 !== 0) await restarted(server);
    else {
      await stopWorker(cdp);
      await wake(page);
    }
  }
  while ((await hashesOf(server)).length === 0) await page.waitForTimeout(250);
  const seconds = (performance.now() - began) / 1_000;
  const carried = (link.carried() - before) / 1_000;
  const wrong = (await hashesOf(server)).includes(sha256) ? 0 : BYTES / 1_000;
  const what = `a file of 100 MB, ${CUTS} cuts, the app’s worker and the server killed ${KILLS / 2} times each`;
  const itsBytes = { name: 'its bytes', sample: [BYTES / 1_000] };
  return [
    { what: `${what}: bytes that arrived`, unit: 'kB', ours: [carried], against: itsBytes, goal: atMostTimes(1.1) },
    { what: 'the same: wrong bytes', unit: 'kB', ours: [wrong], goal: atMost(0) },
    { what: 'the same: pieces that the page sent instead', unit: 'requests', ours: [byPage] },
    { what: 'the same: time', unit: 's', ours: [seconds] },
  ];
}

/** Stops the worker, whatever it is doing. Throws if the browser does not report the stop. */
async function stopWorker(cdp: CDPSession): Promise<void> {
  const stopped = Promise.withResolvers<void>();
  const inVain = setTimeout(() => stopped.reject(new Error('The worker was not stopped.')), PATIENCE);
  const look = ({ versions }: { versions: readonly { runningStatus: string }[] }) => {
    if (versions.some(({ runningStatus }) => runningStatus === 'stopped')) stopped.resolve();
  };
  cdp.on('ServiceWorker.workerVersionUpdated', look);
  await cdp.send('ServiceWorker.stopAllWorkers');
  await stopped.promise.finally(() => clearTimeout(inVain));
  cdp.off('ServiceWorker.workerVersionUpdated', look);
}

/** Wakes the worker as a returning connection would. */
function wake(page: Page): Promise<unknown> {
  return page.evaluate(() => dispatchEvent(new Event('online')));
}

function run(page: Page, experiment: string, ...details: number[]): Promise<unknown> {
  return page.evaluate(
    ([name, counts]) => (globalThis as unknown as { experiments: Experiments }).experiments[name]?.(...counts),
    [experiment, details] as const,
  );
}

/** A very large file gets through although link, worker and server are killed. The built app, one run. */
export const workerKills: Row = { name: 'worker-kills', measure };
