import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gridTieInverters } from '../../../src/domain/resources/grid-tie-inverters.ts';
import { alternate } from '../kit/alternate.ts';
import { Client } from '../kit/client.ts';
import { atMostTimes } from '../kit/figure.ts';
import { startFilledServer } from '../kit/filled-server.ts';
import { signIn } from '../kit/sign-in.ts';

const ROWS = 10_000;
const RUNS = 25;

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** A list of 10,000 rows over HTTP, against bare reading and serialising of the same rows. */
export const longList = {
  name: 'list',
  async measure() {
    const server = await startFilledServer(ROWS);
    const client = new Client(server.origin, await signIn(server.origin));
    const database = new DatabaseSync(join(server.dataDir, 'voltdesk.sqlite'), { readOnly: true });
    const query = database.prepare('SELECT id, brand, model FROM grid_tie_inverters ORDER BY id');
    const { list } = gridTieInverters.endpoints;
    const first = await client.get(list);
    const etag = String(first.headers.etag);
    const times = await alternate(RUNS, {
      whole: () => timed(() => client.get(list)),
      compressed: () => timed(() => client.get(list, { 'accept-encoding': 'br, gzip' })),
      unchanged: () => timed(() => client.get(list, { 'if-none-match': etag })),
      bare: () => timed(() => JSON.stringify(query.all())),
    });
    database.close();
    client.close();
    await server.remove();
    const against = { name: 'query and JSON alone', sample: times.bare };
    const what = 'list of 10,000 rows';
    return [
      { what, unit: 'ms', ours: times.whole, against, goal: atMostTimes(1.5) },
      { what: `${what}, compressed`, unit: 'ms', ours: times.compressed, against, goal: atMostTimes(1.5) },
      { what: `${what}, unchanged`, unit: 'ms', ours: times.unchanged, against, goal: atMostTimes(1.5) },
    ] as const;
  },
};
