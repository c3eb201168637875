import { KillableBrowser } from './browser.ts';
import type { FaultProxy } from './fault-proxy.ts';
import { HostedServer } from './hosted-server.ts';
import { test as base } from './hosting.ts';
import { KeptDevice } from './kept-device.ts';
import { fitsPrepared, type Server, TestServer } from './server.ts';
import { unhurried } from './unhurried.ts';

/** An empty server and the network that leads to it. */
export interface World {
  readonly server: Server;
  readonly proxy: FaultProxy;
}

interface Options {
  /** Additional server settings, as environment variables. */
  readonly settings: Readonly<Record<string, string>>;
  /** False in tests of how long a form waits for an answer. */
  readonly unhurriedForms: boolean;
  /**
   * What the browser holds when a test begins: a session and the app, kept from the last test; a session alone, in tests that
   * change what is kept (the version of the app, the clock); or nothing.
   */
  readonly holds: 'session and app' | 'session' | 'nothing';
}

interface Fixtures {
  readonly world: World;
  /** A browser whose profile survives `kill()`. */
  readonly device: KillableBrowser;
}

/** Playwright's test, each with a server of its own. Addresses lead through the world's proxy. */
export const test = base.extend<Options & Fixtures, { readonly kept: KeptDevice }>({
  settings: [{}, { option: true }],
  unhurriedForms: [true, { option: true }],
  holds: ['session and app', { option: true }],
  kept: [
    async ({ browser, host }, provide) => {
      const kept = await KeptDevice.start(browser, host);
      await provide(kept);
      await kept.close();
    },
    { scope: 'worker' },
  ],
  world: async ({ settings, host, kept }, provide, info) => {
    // one that has its first start before it is a process of its own, as it is installed
    const server = fitsPrepared({ settings })
      ? await HostedServer.start(host, kept.dataDir, { settings })
      : await TestServer.start({ settings });
    await kept.proxy.renew(server.port);
    await provide({ server, proxy: kept.proxy });
    if (info.status !== info.expectedStatus) console.log(server.log);
    await server.remove();
  },
  context: async (
    { browser, kept, holds, unhurriedForms, hasTouch, isMobile, serviceWorkers, world: _world },
    provide,
  ) => {
    const isUsual = unhurriedForms && !hasTouch && !isMobile && serviceWorkers !== 'block';
    if (holds === 'session and app' && isUsual) {
      await provide(await kept.enter());
      return kept.leave();
    }
    const context = await browser.newContext();
    if (unhurriedForms) await unhurried(context);
    if (holds !== 'nothing') await kept.signIn(context);
    await provide(context);
    await context.close();
  },
  baseURL: ({ kept }, provide) => provide(kept.proxy.origin),
  device: async ({ headless, world: _world }, provide) => {
    const device = await KillableBrowser.start(headless);
    await provide(device);
    await device.remove();
  },
});

export { expect } from '@playwright/test';
