import { test as base } from '@playwright/test';
import { ServerHost } from './hosted-server.ts';

/** Playwright's test, with a process that runs the servers of a worker's tests. */
export const test = base.extend<object, { readonly host: ServerHost }>({
  host: [
    async ({ browserName: _browserName }, provide) => {
      const host = ServerHost.start();
      await provide(host);
      host.end();
    },
    { scope: 'worker' },
  ],
});
