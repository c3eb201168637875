import { FaultProxy } from '../harness/fault-proxy.ts';
import { HostedServer } from '../harness/hosted-server.ts';
import { test as base } from '../harness/hosting.ts';
import type { World } from '../harness/world.ts';
import { Device } from './device.ts';
import { openDisplay } from './drive/display.ts';
import type { EngineName } from './drive/tab.ts';

interface Fixtures {
  readonly world: World;
  readonly device: Device;
}

interface WorkerFixtures {
  readonly engine: EngineName;
  readonly display: string;
}

/** A walk is written once and runs in every engine. Each has its own server, network and device. */
export const walk = base.extend<Fixtures, WorkerFixtures>({
  engine: ['chromium', { option: true, scope: 'worker' }],
  display: [
    async ({ engine }, provide) => {
      const display = engine === 'webkit' ? await openDisplay() : undefined;
      await provide(display?.name ?? '');
      display?.close();
    },
    { scope: 'worker' },
  ],
  world: async ({ host }, provide, test) => {
    const server = await HostedServer.start(host, process.env['PREPARED_DATA']);
    const proxy = await FaultProxy.start(server.port);
    await provide({ server, proxy });
    await proxy.close();
    if (test.status !== test.expectedStatus)
      console.log([server.log, ...proxy.requests.map(({ line }) => line)].join('\n'));
    await server.remove();
  },
  device: async ({ engine, display }, provide, test) => {
    const device = new Device(engine, display);
    await provide(device);
    if (test.status !== test.expectedStatus) console.log(await device.report());
    await device.remove();
  },
});

export { expect } from '@playwright/test';
