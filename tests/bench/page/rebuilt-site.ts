import { App } from '../../harness/app.ts';
import { openDevice } from '../kit/device.ts';
import { shown, startExampleSite } from '../kit/example-site.ts';
import { atMost } from '../kit/figure.ts';
import type { Row } from '../kit/row.ts';
import { quantile } from '../kit/statistics.ts';

const SAVES = 20;

/** From Save in a form on a device to the page of the example site that shows it, all on this machine. */
export const rebuiltSite: Row = {
  name: 'site',
  async measure() {
    const { origin, site, close } = await startExampleSite();
    const device = await openDevice();
    const times: number[] = [];
    try {
      const app = new App(await device.context.newPage(), origin);
      await app.signIn();
      await app.workerReady();
      for (let save = 0; save < SAVES; save += 1) {
        await app.open('/partner-edit/1');
        const name = app.page.getByLabel('Name', { exact: true });
        await name.fill(`Saved ${save} times`);
        const began = performance.now();
        await app.page.getByRole('button', { name: 'Update', exact: true }).click();
        await shown(`${site}/partners/`, `Saved ${save} times`);
        times.push(performance.now() - began);
      }
    } finally {
      await device.close();
      await close();
    }
    return [
      { what: 'Save to the rebuilt page of the example site: median', unit: 'ms', ours: [quantile(times, 0.5)] },
      { what: 'Save to the rebuilt page: p95', unit: 'ms', ours: [quantile(times, 0.95)], goal: atMost(5000) },
    ];
  },
};
