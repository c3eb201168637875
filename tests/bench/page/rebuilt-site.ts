import { openDevice } from '../kit/device.ts';
import { shown, startExampleSite } from '../kit/example-site.ts';
import { atMost } from '../kit/figure.ts';
import { keepSession } from '../kit/our-subject.ts';
import type { Row } from '../kit/row.ts';
import { quantile } from '../kit/statistics.ts';

const SAVES = 20;

/** From Save in a form on a device to the page of the example site that shows it, all on this machine. */
export const rebuiltSite: Row = {
  name: 'site',
  async measure() {
    const { origin, site, session, close } = await startExampleSite();
    const device = await openDevice();
    const times: number[] = [];
    try {
      const page = await device.context.newPage();
      await page.goto(`${origin}/robots.txt`);
      await page.evaluate(keepSession, { user: session.user, token: session.token });
      await page.goto(`${origin}/partner-all`);
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      // the thumbnails of all lists have arrived
      await page.waitForLoadState('networkidle', { timeout: 0 });
      for (let save = 0; save < SAVES; save += 1) {
        await page.goto(`${origin}/partner-edit/1`);
        const name = page.getByLabel('Name', { exact: true });
        await name.fill(`Saved ${save} times`);
        const began = performance.now();
        await page.getByRole('button', { name: 'Update', exact: true }).click();
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
