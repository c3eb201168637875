import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { routesOf } from '../../src/domain/resource.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { chromiumArgs, findChromium } from '../harness/chromium.ts';
import { ADMINISTRATOR, TestServer } from '../harness/server.ts';
import { PREPARED } from './prepared.ts';

/**
 * `npm run screenshots`: every screen of the built app on the sample data, at three sizes, light and dark.
 * `--only generator` takes those whose name contains the word; `--to DIR` says where to (default: test-results/screenshots).
 */

const SIZES = {
  1280: { width: 1280, height: 800 },
  820: { width: 820, height: 1180 },
  390: { width: 390, height: 844 },
} as const;
const SCHEMES = ['light', 'dark'] as const;

interface Screen {
  readonly name: string;
  readonly path: string;
  /** What to do before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<void>;
}

const { values: options } = parseArgs({
  options: { only: { type: 'string', default: '' }, to: { type: 'string', default: 'test-results/screenshots' } },
});

/** Every screen a signed-in administrator can open. */
function screens(): Screen[] {
  const kinds = RESOURCES.flatMap((resource): Screen[] => {
    const { list, create, edit } = routesOf(resource);
    return [
      { name: `${resource.name}-list`, path: list },
      { name: `${resource.name}-create`, path: create },
      { name: `${resource.name}-edit`, path: edit(1) },
    ];
  });
  const others: Screen[] = [
    { name: 'home', path: '/' },
    { name: 'about', path: '/about' },
    { name: 'preferences', path: '/preferences' },
    { name: 'change-password', path: '/pass-change' },
    { name: 'site-meta', path: `/${siteMeta.path}` },
    { name: 'outbox', path: '/outbox' },
    { name: 'not-found', path: '/no-such-page' },
  ];
  return [...others, ...kinds, ...PREPARED].filter(({ name }) => name.includes(options.only));
}

/** The page has painted what it has: no request is on and the pictures in sight are there. Those further down are not fetched. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await page.waitForFunction(() =>
    [...document.images].every((image) => image.complete || image.getBoundingClientRect().top > window.innerHeight),
  );
  // One that has come is painted when it is decoded.
  await page.evaluate(() =>
    Promise.allSettled([...document.images].filter(({ complete }) => complete).map((image) => image.decode())),
  );
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(ADMINISTRATOR.email);
  await page.getByLabel('Password', { exact: true }).fill(ADMINISTRATOR.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((address) => address.pathname === '/');
  await page.evaluate(() => navigator.serviceWorker.ready);
}

async function take(context: BrowserContext, screen: Screen, suffix: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(screen.path);
  await settle(page);
  if (screen.prepare !== undefined) {
    await screen.prepare(page);
    await settle(page);
  }
  await page.screenshot({ path: `${options.to}/${screen.name}-${suffix}.png` });
  await context.setOffline(false);
  await page.close();
}

async function takeAll(browser: Browser, origin: string): Promise<void> {
  // A dialog that is still fading in is no picture of it.
  const scene = { baseURL: origin, reducedMotion: 'reduce' } as const;
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of SCHEMES) {
      const hasTouch = viewport.width < 1200;
      const context = await browser.newContext({ ...scene, viewport, colorScheme, hasTouch });
      const page = await context.newPage();
      await page.goto('/login');
      await settle(page);
      await page.screenshot({ path: `${options.to}/login-${size}-${colorScheme}.png` });
      await signIn(page);
      for (const screen of screens()) await take(context, screen, `${size}-${colorScheme}`);
      await context.close();
    }
  }
}

async function serverWithSampleData(): Promise<TestServer> {
  const server = await TestServer.start({
    // a connection that stays would never let a page come to rest
    settings: { COMPANY_LABEL: 'Northern Power Ltd', LOCATION_LINE: 'Dhaka, Bangladesh', LIVE_CONNECTIONS: '0' },
  });
  await server.stop();
  execFileSync(process.execPath, ['server/cli.ts', 'sample-data'], {
    env: { ...process.env, DATA_DIR: server.dataDir },
    stdio: 'ignore',
  });
  await server.start();
  return server;
}

mkdirSync(options.to, { recursive: true });
const server = await serverWithSampleData();
const executablePath = findChromium();
const browser = await chromium.launch({
  args: [...chromiumArgs],
  ...(executablePath === undefined ? {} : { executablePath }),
});
try {
  await takeAll(browser, server.origin);
} finally {
  await browser.close();
  await server.remove();
}
process.stdout.write(`The screenshots are in ${options.to}.\n`);
