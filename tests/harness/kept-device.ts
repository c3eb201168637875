import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from '@playwright/test';
import { App } from './app.ts';
import { type DeviceState, readDatabase, writeState } from './device-state.ts';
import { FaultProxy } from './fault-proxy.ts';
import { HostedServer, type ServerHost } from './hosted-server.ts';
import { unhurried } from './unhurried.ts';

/** Explicit, since the first test of a worker may have others. */
const USUAL: BrowserContextOptions = {
  viewport: { width: 1280, height: 720 },
  hasTouch: false,
  isMobile: false,
  serviceWorkers: 'allow',
};

/** An address of the app's origin that its service worker leaves alone. */
const PLAIN = '/robots.txt';

/**
 * A browser context whose service worker and precached app are kept for all tests of a worker. Each test gets it as it was after
 * the sign-in: everything else that a test left on it is removed. Precaching and signing in cost as much as a usual test.
 */
export class KeptDevice {
  readonly context: BrowserContext;
  /** The way to the server of the current test. Always under the same origin, whose worker is kept. */
  readonly proxy: FaultProxy;
  /** The data folder of a server that knows this device's session. */
  readonly dataDir: string;
  readonly #state: DeviceState;
  readonly #server: HostedServer;

  private constructor(context: BrowserContext, proxy: FaultProxy, server: HostedServer, state: DeviceState) {
    this.context = context;
    this.proxy = proxy;
    this.#server = server;
    this.dataDir = server.dataDir;
    this.#state = state;
  }

  /** Signs in on a new device, to a server that ends afterwards. */
  static async start(browser: Browser, host: ServerHost): Promise<KeptDevice> {
    const server = await HostedServer.start(host, process.env['PREPARED_DATA']);
    const proxy = await FaultProxy.start(server.port);
    const context = await browser.newContext(USUAL);
    // as in a context of a test: its own time-out ends what hangs
    context.setDefaultTimeout(0);
    await unhurried(context);
    const page = await context.newPage();
    await App.signedIn(page, { proxy });
    const state = await stateOf(page);
    const kept = new KeptDevice(context, proxy, server, state);
    await kept.leave();
    await server.stop();
    return kept;
  }

  /** Signs in again, as before the first test. */
  async enter(): Promise<BrowserContext> {
    await this.signIn(this.context);
    return this.context;
  }

  /** Removes what a test has left: its pages, and what the device holds. The worker stops and will start anew. */
  async leave(): Promise<void> {
    const { context } = this;
    const left = context.pages();
    const page = await context.newPage();
    await Promise.all(left.map((one) => one.close()));
    await context.setOffline(false);
    await this.#clear(await context.newCDPSession(page));
    await page.close();
  }

  /** Gives a context that holds at most a worker and caches the session of this device. Of the caches, the app’s own stays. */
  async signIn(context: BrowserContext): Promise<void> {
    const page = await context.newPage();
    // until the session is there, a worker must find nothing to begin with
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.setBypassServiceWorker', { bypass: true });
    await context.addCookies([...this.#state.cookies]);
    await page.goto(this.proxy.origin + PLAIN);
    const { localStorage, databases } = this.#state;
    await page.evaluate(writeState, { localStorage, databases });
    await page.close();
  }

  async close(): Promise<void> {
    await this.context.close();
    await this.proxy.close();
    await this.#server.remove();
  }

  /** Stops the worker, and deletes what the device holds except for its caches. */
  async #clear(devtools: CDPSession): Promise<void> {
    const { origin } = this.proxy;
    await this.context.clearCookies();
    await devtools.send('ServiceWorker.enable');
    await devtools.send('ServiceWorker.stopAllWorkers');
    await devtools.send('Network.clearBrowserCache');
    await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb,local_storage' });
  }
}

async function stateOf(page: Page): Promise<DeviceState> {
  return {
    cookies: await page.context().cookies(),
    localStorage: await page.evaluate(() => ({ ...localStorage })),
    databases: [await page.evaluate(readDatabase, 'voltdesk-outbox')],
  };
}
