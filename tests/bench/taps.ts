import { chromium, type Page } from '@playwright/test';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { launchWithCamera } from '../harness/pretended-camera.ts';
import { storeRecord } from '../harness/seed.ts';
import { startFilledServer } from './kit/filled-server.ts';
import { type Effort, Hand } from './taps/hand.ts';
import { TASKS } from './taps/tasks.ts';

/**
 * `npm run bench:taps`: what a day's work costs in taps, keys and seconds, in a real browser, form by form and as the lists and
 * forms offer it. Seconds are those of the app and of this machine: nobody thinks or looks for a button here.
 */
const INVERTERS = 1685;
const PANELS = 12;

async function seeded() {
  const server = await startFilledServer(INVERTERS);
  const api = await Api.signIn(server.origin);
  for (let seed = 1; seed <= PANELS; seed += 1) {
    await storeRecord(api, resourceOf('solar-panels'), seed, { brand: `Panel ${seed}`, capacity: '350 W' });
  }
  await storeRecord(api, resourceOf('partners'), 1);
  return server;
}

async function effortOf(page: Page, work: (hand: Hand) => Promise<void>): Promise<Effort> {
  const hand = new Hand(page);
  await work(hand);
  return hand.end();
}

function words({ taps, keys, seconds }: Effort): string {
  return `${taps} taps, ${keys} keys, ${seconds.toFixed(1)} s`;
}

const server = await seeded();
const browser = await chromium.launch(launchWithCamera());
try {
  const viewport = { width: 1280, height: 1000 };
  // the camera's button stands where fingers are the pointer
  const context = await browser.newContext({ viewport, baseURL: server.origin, isMobile: true, hasTouch: true });
  const page = await context.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const app = new App(page, server.origin);
  await app.signIn();
  await app.workerReady();
  const only = process.argv[2] ?? '';
  for (const { name, oneByOne, asOffered } of TASKS.filter((task) => task.name.includes(only))) {
    const before = await effortOf(page, oneByOne);
    const after = await effortOf(page, asOffered);
    console.log(`${name}: one by one ${words(before)}; as offered ${words(after)}`);
  }
} finally {
  await browser.close();
  await server.remove();
}
