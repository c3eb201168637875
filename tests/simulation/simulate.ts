import { parseArgs } from 'node:util';
import { play } from './stage/play.ts';
import { scheduleOf } from './stage/schedule.ts';
import { contractOnlyServers } from './servers/contract-only.ts';
import { ownServers } from './servers/own.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    server: { type: 'string', default: 'own' },
    lines: { type: 'boolean' },
  },
});
const supply = values.server === 'own' ? await ownServers() : contractOnlyServers;
const t0 = performance.now();
let failed = 0;
for (let i = 0; i < Number(values.seeds); i++) {
  const seed = String(Number(values.seed) + i);
  try {
    const outcome = await play(scheduleOf(seed), supply, { keepLines: values.lines === true });
    if (values.lines) console.log(outcome.lines.join('\n'));
    if (outcome.failures.length > 0) {
      failed++;
      console.log(seed, outcome.failures.slice(0, 4));
    }
  } catch (e) {
    failed++;
    console.log(seed, 'CRASH', String((e as Error).stack).slice(0, 200));
  }
}
console.log(failed, 'failed', ((performance.now() - t0) / Number(values.seeds)).toFixed(1), 'ms/seed');
await supply.close();
