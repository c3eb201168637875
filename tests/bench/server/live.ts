import { readFileSync } from 'node:fs';
import { get, type ClientRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIVE_PATH } from '../../../src/domain/protocol/feed.ts';
import { gridTieInverters } from '../../../src/domain/resources/grid-tie-inverters.ts';
import { seconds } from '../kit/arguments.ts';
import { Client } from '../kit/client.ts';
import { atMost, type Figure } from '../kit/figure.ts';
import { startFilledServer } from '../kit/filled-server.ts';
import { inverterForm } from '../kit/forms.ts';
import { type SignedIn, signIn } from '../kit/sign-in.ts';
import { quantile } from '../kit/statistics.ts';

const ROWS = 1000;
const DEVICES = 50;
const CHANGES_PER_SECOND = 10;
/** Time-out for a notification. Later ones count as lost. Milliseconds. */
const PATIENCE = 5000;

/** When each record last changed, and how long each device waited for its notification. Milliseconds. */
interface Tally {
  readonly changedAt: Map<number, number>;
  readonly waited: number[];
  errors: number;
}

/** Connects a device that times the notification of each record. */
function connect(origin: string, { token }: SignedIn, tally: Tally): Promise<ClientRequest> {
  const { promise, resolve, reject } = Promise.withResolvers<ClientRequest>();
  const headers = { authorization: `Bearer ${token}` };
  const request = get(origin + LIVE_PATH, { headers, agent: false }, (answer) => {
    if (answer.statusCode !== 200) reject(new Error(`The connection was answered ${answer.statusCode}.`));
    let rest = '';
    answer.setEncoding('utf8').on('data', (text: string) => {
      const events = (rest + text).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) noteEvent(event, tally);
      resolve(request);
    });
    answer.on('error', () => undefined);
  });
  request.on('error', reject);
  return promise;
}

function noteEvent(event: string, { changedAt, waited }: Tally): void {
  const told = /^data: (.+)$/m.exec(event)?.[1];
  if (told === undefined) return;
  const { page } = JSON.parse(told) as { page: { changed: Record<string, readonly { readonly id: number }[]> } };
  for (const { id } of page.changed[gridTieInverters.name] ?? []) {
    const at = changedAt.get(id);
    if (at !== undefined) waited.push(performance.now() - at);
  }
}

/** Changes each record once, in order, so that a notification identifies its change. */
async function changeOn(client: Client, count: number, tally: Tally): Promise<void> {
  const began = performance.now();
  for (let id = 1; id <= count; id += 1) {
    await sleep(Math.max(0, began + (id * 1000) / CHANGES_PER_SECOND - performance.now()));
    tally.changedAt.set(id, performance.now());
    const { status } = await client.post(`${gridTieInverters.endpoints.single}/${id}`, inverterForm([]));
    if (status !== 200) tally.errors += 1;
  }
}

async function allTold({ waited }: Tally, wanted: number): Promise<void> {
  const until = performance.now() + PATIENCE;
  while (waited.length < wanted && performance.now() < until) await sleep(50);
}

/** Memory of a process, in megabytes. */
function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000;
}

function figuresOf({ waited, errors }: Tally, wanted: number, memory: number): readonly Figure[] {
  const what = `${DEVICES} devices, ${CHANGES_PER_SECOND} changes a second`;
  return [
    { what: `${what}: until told, median`, unit: 'ms', ours: [quantile(waited, 0.5)] },
    { what: `${what}: until told, 95th percentile`, unit: 'ms', ours: [quantile(waited, 0.95)], goal: atMost(1000) },
    {
      what: `${what}: errors and changes not told`,
      unit: '×',
      ours: [errors + wanted - waited.length],
      goal: atMost(0),
    },
    { what: `${what}: server memory a connection`, unit: 'MB', ours: [memory / DEVICES], goal: atMost(1) },
  ];
}

/** Fifty connected devices while a colleague works: time to notification, and the cost of the connections. */
export const live = {
  name: 'live',
  async measure() {
    const server = await startFilledServer(ROWS, DEVICES);
    const session = await signIn(server.origin);
    const client = new Client(server.origin, session);
    const tally: Tally = { changedAt: new Map(), waited: [], errors: 0 };
    await changeOn(client, CHANGES_PER_SECOND, { ...tally, changedAt: new Map() });
    const before = memoryOf(server.pid);
    const devices = await Promise.all(Array.from({ length: DEVICES }, () => connect(server.origin, session, tally)));
    const changes = Math.min(ROWS, CHANGES_PER_SECOND * seconds);
    await changeOn(client, changes, tally);
    await allTold(tally, changes * DEVICES);
    const memory = memoryOf(server.pid) - before;
    for (const device of devices) device.destroy();
    client.close();
    await server.remove();
    return figuresOf(tally, changes * DEVICES, memory);
  },
};
