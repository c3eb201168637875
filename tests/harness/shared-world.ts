import type { Page } from '@playwright/test';
import { App } from './app.ts';
import { FaultProxy } from './fault-proxy.ts';
import { HostedServer } from './hosted-server.ts';
import { test as base } from './hosting.ts';
import { unhurried } from './unhurried.ts';
import type { World } from './world.ts';

/** A world with a signed-in administrator, whose service worker controls the page. */
export interface Inhabited extends World {
  readonly app: App;
  readonly page: Page;
}

/**
 * Playwright's test with one world for all tests of a worker. For tests of resources that do not affect each other and that
 * leave the network as they found it.
 */
export const test = base.extend<object, { readonly inhabited: Inhabited }>({
  inhabited: [
    async ({ browser, host }, provide) => {
      const server = await HostedServer.start(host, process.env['PREPARED_DATA']);
      const proxy = await FaultProxy.start(server.port);
      const context = await browser.newContext({ baseURL: proxy.origin });
      // as in a context of a test: its own time-out ends what hangs
      context.setDefaultTimeout(0);
      await unhurried(context);
      const page = await context.newPage();
      const app = new App(page, proxy.origin);
      await app.signIn();
      await app.workerReady();
      await provide({ server, proxy, app, page });
      await context.close();
      await proxy.close();
      await server.remove();
    },
    { scope: 'worker' },
  ],
});

export { expect } from '@playwright/test';
