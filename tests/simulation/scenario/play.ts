import { Administrator } from './administrator.ts';
import { drawFault, drawForeignFault, type Fault } from '../world/faults.ts';
import { FeedReader, type TakePage } from './feed-reader.ts';
import { handle } from './handlers.ts';
import { Ledger } from '../oracle/ledger.ts';
import { Oracle } from '../oracle/oracle.ts';
import { Monitor } from '../oracle/monitor.ts';
import { Random } from '../world/random.ts';
import type { Schedule } from './schedule.ts';
import type { Scenario } from './scenario.ts';
import type { ServerSupply } from '../servers/server.ts';
import type { Tamper } from '../world/device.ts';
import { RestlessError } from '../world/scheduler.ts';
import { World } from '../world/world.ts';

const MINUTE = 60_000;
/** After the faults stop, the queue must drain within this time for each administrator. */
const DRAINS_WITHIN = 10 * MINUTE;
const ATTENDS_EVERY = 20_000;

export interface Outcome {
  readonly failures: readonly string[];
  readonly traceHash: string;
  readonly faults: ReadonlyMap<Fault, number>;
  readonly requests: number;
  readonly saved: number;
  readonly lines: readonly string[];
}

/** Plays a schedule against a fresh server and returns the broken promises. */
export async function play(
  schedule: Schedule,
  supply: ServerSupply,
  { tamper, takePage, keepLines = false }: { tamper?: Tamper; takePage?: TakePage; keepLines?: boolean } = {},
): Promise<Outcome> {
  const { seed, worker, locks, keepsBlobs, workerReadsCookies = true, backgroundSync = true } = schedule;
  const { estimate = 'reported', workerOutlivesPages = Number.POSITIVE_INFINITY } = schedule;
  const spared = new Set(schedule.spared);
  const faultsOfChanges = [...(schedule.faultsOfChanges ?? [])];
  const faultsOfReads = [...(schedule.faultsOfReads ?? [])];
  const world = await World.begin({
    seed,
    supply,
    kinds: schedule.kinds,
    sharesFiles: schedule.sharesFiles,
    keepLines,
    traits: { worker, locks, keepsBlobs, workerReadsCookies, backgroundSync, estimate, workerOutlivesPages },
    plan: (number, method) => {
      const fixed = { POST: faultsOfChanges, GET: faultsOfReads }[method]?.shift();
      if (fixed !== undefined) return fixed;
      if (number >= schedule.faultsEnd || spared.has(number)) return schedule.faults?.[number];
      return (
        drawForeignFault(new Random(`${seed}/foreign/${number}`), method, schedule.faultRate) ??
        drawFault(new Random(`${seed}/fault/${number}`), world.server.name, method, schedule.faultRate)
      );
    },
    ...(tamper === undefined ? {} : { tamper }),
  });
  try {
    const ledger = new Ledger();
    world.device.storage.onEntry = (entry) => ledger.writes(entry);
    const monitor = new Monitor(world, schedule);
    world.network.watcher = monitor;
    const feed = new FeedReader(world, ledger, takePage);
    const hasFeed = world.server.name !== 'contract-only';
    const followed = hasFeed && schedule.events.some(({ what }) => what === 'feed asked');
    if (followed) await world.really(() => feed.begin());
    const scenario: Scenario = {
      world,
      ledger,
      feed,
      oracle: new Oracle(world, ledger, schedule),
      administrator: new Administrator(world, ledger, (page) => monitor.hurry(page)),
    };
    const restless = await perform(scenario, schedule).catch(reportRestless);
    monitor.look();
    traceLedger(scenario);
    return {
      failures: [...scenario.oracle.failures, ...monitor.failures, ...feed.failures, ...restless],
      traceHash: world.scheduler.traceHash(),
      faults: world.network.faults,
      requests: world.network.deliveries.length,
      saved: ledger.changes.length,
      lines: world.scheduler.lines ?? [],
    };
  } finally {
    world.end();
  }
}

async function perform(scenario: Scenario, schedule: Schedule): Promise<readonly string[]> {
  const { world, administrator } = scenario;
  const start = world.scheduler.now;
  for (let page = 0; page < schedule.pages; page += 1) world.device.openPage();
  await administrator.editor.look();
  await administrator.signIn('1');
  for (const event of schedule.events) {
    await world.scheduler.run(Math.max(world.scheduler.now, start + event.at));
    world.scheduler.trace(`* ${event.what}`);
    await handle(event.what, scenario, new Random(event.seed));
  }
  await world.scheduler.run(world.scheduler.now + MINUTE);
  await calm(scenario);
  await scenario.oracle.checkAll();
  return [];
}

/** Reports a world that never comes to rest as a failure, like a loss. */
function reportRestless(failure: unknown): readonly string[] {
  if (failure instanceof RestlessError) return [`restless: ${failure.message}`];
  throw failure;
}

/** For `--trace`: prints what was saved and what arrived. */
function traceLedger({ world, ledger }: Scenario): void {
  const { lines } = world.scheduler;
  for (const { decided, overruled, ...change } of ledger.changes) {
    lines?.push(JSON.stringify({ ...change, decided: [...decided], overruled: [...overruled] }));
  }
  for (const arrival of world.arrivals) lines?.push(JSON.stringify(arrival));
}

/** Stops the faults. Everyone with pending changes signs in and resolves what needs attention. */
async function calm(scenario: Scenario): Promise<void> {
  const { world, administrator } = scenario;
  world.scheduler.trace('* calm');
  world.isCalm = true;
  world.network.plan = () => undefined;
  world.network.online = true;
  // the server answers again, which ends what something else has ordered
  world.device.linkReturned();
  world.network.freezeNext = undefined;
  world.network.afterPiece = () => undefined;
  world.device.storage.full = false;
  world.device.room = Number.POSITIVE_INFINITY;
  world.device.locks.heal();
  for (const { lane } of [...world.device.pages, ...(world.device.worker ? [world.device.worker] : [])])
    delete lane.frozenUntil;
  if (world.device.pages.length === 0) world.device.openPage();
  // A page that was frozen with saves in progress continues them.
  await world.scheduler.run(world.scheduler.now + 2_000);
  await world.scheduler.run(world.scheduler.now + DRAINS_WITHIN, () => !administrator.isBusy);
  const random = new Random('calm');
  for (const user of ['1', '2', '1', '2']) {
    if (!world.device.entries().some((entry) => entry.administrator === user && isWaiting(entry))) continue;
    await administrator.signIn(user);
    await drainFor(scenario, random);
  }
}

async function drainFor({ world, administrator }: Scenario, random: Random): Promise<void> {
  const until = world.scheduler.now + DRAINS_WITHIN;
  const finished = () => administrator.waiting().length === 0 && !administrator.isBusy;
  while (!finished() && world.scheduler.now < until) {
    await world.scheduler.run(Math.min(until, world.scheduler.now + ATTENDS_EVERY), finished);
    administrator.outboxScreen.attend(random, true);
  }
  await world.scheduler.run(world.scheduler.now + 2_000);
}

function isWaiting({ state, schema }: { state: string; schema: number }): boolean {
  return state !== 'done' && schema < 99;
}
