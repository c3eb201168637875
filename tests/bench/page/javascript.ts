import { gzipSync } from 'node:zlib';
import { atMost } from '../kit/figure.ts';
import type { Row } from '../kit/row.ts';
import type { Stage } from '../kit/stage.ts';
import type { Subject } from '../kit/subject.ts';
import { SLOW_LINK } from '../kit/link.ts';

/** Gzipped kilobytes of the scripts that a first visit loads before its rows are painted. */
async function scriptsBeforeList(stage: Stage, subject: Subject): Promise<number> {
  const { device, link, visit } = await stage.newcomer(subject, 1000);
  link.become(SLOW_LINK);
  const { page, time } = await visit();
  const addresses = await page.evaluate(
    (shown) =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(
          ({ name, responseEnd }) => new URL(name).pathname.endsWith('.js') && responseEnd > 0 && responseEnd <= shown,
        )
        .map(({ name }) => new URL(name).pathname),
    time,
  );
  await device.close();
  const server = await subject.serve(1000);
  const scripts = await Promise.all(addresses.map(async (path) => (await fetch(server + path)).arrayBuffer()));
  return scripts.reduce((sum, script) => sum + gzipSync(script).length, 0) / 1000;
}

/** The scripts needed before a first visit shows its list. */
export const javascript: Row = {
  name: 'javascript',
  async measure(stage) {
    const ours = [await scriptsBeforeList(stage, stage.ours)];
    const bare = [await scriptsBeforeList(stage, stage.bare)];
    const barest = [await scriptsBeforeList(stage, { ...stage.bare, path: '/without-router.html' })];
    const what = 'JavaScript before the list shows, gzip';
    return [
      { what, unit: 'kB', ours, against: { name: 'bare page', sample: bare }, goal: atMost(200) },
      { what, unit: 'kB', ours, against: { name: 'bare page without a router', sample: barest } },
    ];
  },
};
