import type { ExperimentName } from '../lab/main.ts';
import { buildPage } from './build-page.ts';
import { type Device, openDevice } from './device.ts';
import { serveFolder } from './files-server.ts';
import { type Link, openLink } from './link.ts';
import { sink } from './sink.ts';

/** A page without screens that times the app's storage and sending against the simplest possible ones. */
export interface Lab {
  run(experiment: ExperimentName, ...details: number[]): Promise<number>;
  /** The link of pages opened with `overLink`. */
  readonly link: Link;
  close(): Promise<void>;
}

type Experiments = Record<string, (...details: number[]) => Promise<number>>;

/** Opens the lab without CPU slowdown. `overLink` puts a link between it and its server. */
export async function openLab({ overLink = false } = {}): Promise<Lab> {
  const server = await serveFolder(await buildPage('lab'), {}, sink);
  const link = await openLink(server.address);
  const { run, close } = await openLabAt(overLink ? link.address : server.address);
  return {
    link,
    run,
    async close() {
      await close();
      await link.close();
      await server.close();
    },
  };
}

/** Opens the lab page from a running server, in a browser of its own. */
export async function openLabAt(address: string): Promise<Pick<Lab, 'run' | 'close'>> {
  const device: Device = await openDevice();
  const { run } = await openLabOn(device, address);
  return { run, close: () => device.close() };
}

/** Opens it in a browser that may have visited before. `close` closes only the page. */
export async function openLabOn(device: Device, address: string): Promise<Pick<Lab, 'run' | 'close'>> {
  const { page } = await device.openPage('body', 1);
  await page.goto(address);
  await page.waitForFunction(() => 'experiments' in globalThis);
  return {
    run: (experiment, ...details) =>
      page.evaluate(
        ([name, counts]) => (globalThis as unknown as { experiments: Experiments }).experiments[name]?.(...counts),
        [experiment, details] as const,
      ) as Promise<number>,
    close: () => page.close(),
  };
}
