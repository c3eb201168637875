import '../../server/require-node.js';
import { parseArgs } from 'node:util';
import type { Mutant } from './mutant.ts';
import { MUTANTS, type MutantName } from './mutants.ts';
import { contractOnlyServers } from './servers/contract-only.ts';
import { ownServers } from './servers/own-on-sqlite.ts';
import { ownServersOnPostgres } from './servers/own-on-postgres.ts';
import { gatewayServers } from './servers/gateway.ts';
import type { ServerName, ServerSupply } from './servers/server.ts';
import { shrink } from './shrink.ts';
import { type Outcome, play } from './scenario/play.ts';
import { type Schedule, scheduleOf } from './scenario/schedule.ts';

/**
 * npm run simulate -- --seeds N --seed S --server own|gateway|contract-only|postgres|all --mutant NAME --trace
 * Plays N seeds from S on and prints every failure with the smallest schedule that still fails. `--trace` prints all events
 * of one seed.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    server: { type: 'string', default: 'all' },
    mutant: { type: 'string' },
    trace: { type: 'boolean', default: false },
  },
});

/** `postgres` is the own server on its other database. */
type Played = ServerName | 'postgres';

const SUPPLIES: Readonly<Record<Played, () => Promise<ServerSupply>>> = {
  own: ownServers,
  gateway: async () => gatewayServers,
  'contract-only': async () => contractOnlyServers,
  postgres: ownServersOnPostgres,
};

const names = Object.keys(SUPPLIES) as Played[];
const all = names.filter((name) => name !== 'postgres');
const servers = values.server === 'all' ? all : names.filter((name) => name === values.server);
if (servers.length === 0) throw new Error(`There is no server "${values.server}": ${names.join(', ')} or all.`);
if (values.mutant !== undefined && !(values.mutant in MUTANTS)) {
  throw new Error(`There is no mutant "${values.mutant}". There are:\n${Object.keys(MUTANTS).join('\n')}`);
}
const stop = new AbortController();
// Prints a summary of what was played so far.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
let failed = 0;
for (const server of servers) failed += await simulate(server, Number(values.seed), Number(values.seeds));
// A gateway that was killed in a world leaves pending requests that nobody answers.
process.exit(failed === 0 ? 0 : 1);

async function simulate(server: Played, first: number, count: number): Promise<number> {
  const supply = await SUPPLIES[server]();
  const mutant: Mutant | undefined = values.mutant === undefined ? undefined : MUTANTS[values.mutant as MutantName];
  const tamper = mutant === undefined ? {} : { tamper: mutant.tamper };
  const run = (schedule: Schedule, keepLines = false) => play(schedule, supply, { ...tamper, keepLines });
  const outcomes: Outcome[] = [];
  const began = performance.now();
  for (let seed = first; seed < first + count && !stop.signal.aborted; seed += 1) {
    const schedule = (mutant?.schedule ?? scheduleOf)(String(seed));
    const outcome = await run(schedule, values.trace);
    outcomes.push(outcome);
    for (const line of outcome.lines) console.log(line);
    if (outcome.failures.length > 0) await tell(server, schedule, outcome, run);
    if (outcomes.length % 500 === 0)
      console.log(`${server}: ${outcomes.length} seeds, ${count - outcomes.length} to go`);
  }
  await supply.close();
  const failures = outcomes.filter((outcome) => outcome.failures.length > 0).length;
  sum(server, outcomes, failures, (performance.now() - began) / 1000);
  return failures;
}

/** Prints a failure with the smallest schedule that still has it. */
async function tell(
  server: Played,
  schedule: Schedule,
  outcome: Outcome,
  run: (schedule: Schedule) => Promise<Outcome>,
): Promise<void> {
  console.log(`\n${server}, seed ${schedule.seed}, trace ${outcome.traceHash}:`);
  for (const failure of outcome.failures) console.log(`  ${failure}`);
  if (values.trace) return;
  const kind = (text: string | undefined) => text?.split(':')[0];
  const first = kind(outcome.failures[0]);
  const least = await shrink(schedule, async (candidate) =>
    (await run(candidate)).failures.some((failure) => kind(failure) === first),
  );
  console.log(`  least: ${JSON.stringify(least)}`);
}

function sum(server: Played, outcomes: readonly Outcome[], failures: number, seconds: number): void {
  const faults = new Map<string, number>();
  for (const outcome of outcomes) {
    for (const [fault, times] of outcome.faults) faults.set(fault, (faults.get(fault) ?? 0) + times);
  }
  const of = (count: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + count(outcome), 0);
  console.log(
    `\n${server}: ${outcomes.length} seeds, ${failures} failed, ${(outcomes.length / seconds).toFixed(1)} seeds/s`,
  );
  console.log(`  ${of(({ saved }) => saved)} changes saved, ${of(({ requests }) => requests)} requests arrived`);
  console.log(
    `  faults: ${[...faults]
      .toSorted(([, a], [, b]) => b - a)
      .map(([fault, times]) => `${fault} ${times}`)
      .join(', ')}`,
  );
}
