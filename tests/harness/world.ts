import { test as base } from '@playwright/test';
import { KillableBrowser } from './browser.ts';
import { FaultProxy } from './fault-proxy.ts';
import { TestServer } from './server.ts';

/** A server with nothing stored, and the network that leads to it. */
export interface World {
  readonly server: TestServer;
  readonly proxy: FaultProxy;
}

interface Fixtures {
  readonly world: World;
  /** A browser with a profile that outlives `kill()`. */
  readonly device: KillableBrowser;
}

/** Playwright's test, each with a world of its own. Addresses lead through the world's proxy. */
export const test = base.extend<Fixtures>({
  world: async ({ browserName: _ }, use, { status, expectedStatus }) => {
    const server = await TestServer.start();
    const proxy = await FaultProxy.start(server.port);
    await use({ server, proxy });
    await proxy.close();
    if (status !== expectedStatus) console.log(server.log);
    await server.remove();
  },
  baseURL: ({ world }, use) => use(world.proxy.origin),
  device: async ({ browserName: _ }, use) => {
    const device = await KillableBrowser.start();
    await use(device);
    await device.remove();
  },
});

export { expect } from '@playwright/test';
