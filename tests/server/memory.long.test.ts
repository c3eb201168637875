import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../../server/stores/sqlite/open.ts';
import { certifications } from '../../src/domain/resources/certifications.ts';
import { gridTieInverters } from '../../src/domain/resources/grid-tie-inverters.ts';
import { FEED_PATH } from '../../src/domain/protocol/feed.ts';
import { shapes } from './corpus/shapes.ts';
import { ADMIN, formOf, freshFolder } from './harness.ts';
import { signIn, startProcess } from './process.ts';
import { valuesFor } from './samples.ts';

/** Of the container and the service (compose.yaml, docs/deployment.md). Megabytes. */
const LIMIT = 768;
const PEOPLE = 5;
const ROWS = 10_000;

/** The resident memory of a process and all that it started, in megabytes. */
function memoryOf(pid: number): number {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return '';
    }
  };
  const own = Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
  const threads = readdirSync(`/proc/${pid}/task`);
  const children = threads.flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean));
  return children.reduce((sum, child) => sum + memoryOf(Number(child)), own);
}

/** A server with ten thousand records, started as `npm start` does. */
async function filled() {
  const DATA_DIR = await freshFolder();
  const db = await openDatabase(DATA_DIR);
  await sql`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${ROWS})
    INSERT INTO grid_tie_inverters (version, created_at, updated_at, type, brand, capacity, model)
    SELECT 'v' || n, '', '', 'On Grid', 'Brand', '5 kW', 'Model ' || n FROM n`.execute(db);
  await db.destroy();
  const settings = { ADMIN_PASSWORD: ADMIN.password, MALLOC_ARENA_MAX: '1', NODE_OPTIONS: '--max-semi-space-size=8' };
  const server = startProcess({ DATA_DIR, ...settings });
  const address = await server.listening();
  return { ...server, address, headers: await signIn(address, ADMIN.password) };
}

test.skipIf(process.platform !== 'linux')(
  'takes every shape of picture and gives its largest answers to five people at once within its memory, while others read',
  { timeout: 20 * 60_000 },
  async () => {
    const { child, address, headers } = await filled();
    const pid = Number(child.pid);
    const offer = async (bytes: Uint8Array<ArrayBuffer>) => {
      const image = { field: 'image', bytes, name: 'a.png', type: 'image/png' };
      const body = formOf(valuesFor(certifications.fields), [image]);
      const answer = await fetch(address + certifications.endpoints.create, { method: 'POST', headers, body });
      await answer.arrayBuffer();
      return answer.status;
    };
    const read = async (path: string) => (await fetch(address + path, { headers })).arrayBuffer();
    const waiting = (await shapes()).flatMap((shape) => [shape, shape]);
    const statuses = new Set<number>();
    const person = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        statuses.add(await offer(next[1]));
        await Promise.all([read(FEED_PATH), read(`${gridTieInverters.endpoints.list}?full=1`)]);
      }
    };
    const work = { isDone: false };
    const everybody = Promise.all(Array.from({ length: PEOPLE }, person)).finally(() => (work.isDone = true));
    const times: number[] = [];
    let most = 0;
    while (!work.isDone) {
      const began = performance.now();
      await read(certifications.endpoints.list);
      times.push(performance.now() - began);
      most = Math.max(most, memoryOf(pid));
      await pause(20);
    }
    await everybody;
    const slow = times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? 0;
    console.log(`${most.toFixed(0)} MB at most; 95 of 100 lists within ${slow.toFixed(0)} ms of ${times.length}`);
    expect([...statuses].filter((status) => ![200, 422, 429].includes(status))).toEqual([]);
    expect(most).toBeLessThan(LIMIT);
    expect(slow).toBeLessThan(1000);
    expect(child.exitCode).toBeNull();
  },
);
