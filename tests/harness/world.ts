import { test as base } from '@playwright/test';
import { KillableBrowser } from './browser.ts';
import { FaultProxy } from './fault-proxy.ts';
import { TestServer } from './server.ts';
import { unhurried } from './unhurried.ts';

/** An empty server and the network that leads to it. */
export interface World {
  readonly server: TestServer;
  readonly proxy: FaultProxy;
}

interface Options {
  /** Additional server settings, as environment variables. */
  readonly settings: Readonly<Record<string, string>>;
  /** False in tests of how long a form waits for an answer. */
  readonly unhurriedForms: boolean;
}

interface Fixtures {
  readonly world: World;
  /** A browser whose profile survives `kill()`. */
  readonly device: KillableBrowser;
}

/** Playwright's test, each with a world of its own. Addresses lead through the world's proxy. */
export const test = base.extend<Options & Fixtures>({
  settings: [{}, { option: true }],
  unhurriedForms: [true, { option: true }],
  context: async ({ context, unhurriedForms }, provide) => {
    if (unhurriedForms) await unhurried(context);
    await provide(context);
  },
  world: async ({ settings }, provide, { status, expectedStatus }) => {
    const server = await TestServer.start({ settings });
    const proxy = await FaultProxy.start(server.port);
    await provide({ server, proxy });
    await proxy.close();
    if (status !== expectedStatus) console.log(server.log);
    await server.remove();
  },
  baseURL: ({ world }, provide) => provide(world.proxy.origin),
  device: async ({ headless }, provide) => {
    const device = await KillableBrowser.start(headless);
    await provide(device);
    await device.remove();
  },
});

export { expect } from '@playwright/test';
