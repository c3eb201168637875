import '../server/require-node.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { COMPILE_CACHE } from './harness/compile-cache.ts';
import { quickFolder } from './harness/quick-folder.ts';
import type { Count } from './runner/count.ts';
import { type Step, stepsFor } from './runner/shards.ts';

/**
 * `npm test`, and `npm run test:all` with or without `-- --shard 3/6`: runs every step in sequence and continues after
 * failures. At the end it prints what each step took, then the names of what failed. The last line of output is the total,
 * `N passed, N failed`. Any failure makes the exit code 1.
 */

interface Taken extends Count {
  readonly name: string;
  readonly minutes: number;
}

/** Runs a step. `reports` is a folder. */
function taken({ name, run }: Step, reports: string): Taken {
  const begun = performance.now();
  const count = run(reports);
  return { name, ...count, minutes: (performance.now() - begun) / 60_000 };
}

/** A table: step, tests, minutes. */
function table(steps: readonly Taken[]): string {
  const rows = steps.map(({ name, passed, failed, minutes }) => ({ name, tests: passed + failed.length, minutes }));
  const tests = rows.reduce((sum, row) => sum + row.tests, 0);
  const minutes = rows.reduce((sum, row) => sum + row.minutes, 0);
  const lines = [...rows, { name: 'total', tests, minutes }].map(
    (row) => `| ${row.name} | ${row.tests} | ${row.minutes.toFixed(1)} |`,
  );
  return ['| step | tests | minutes |', '|---|---|---|', ...lines].join('\n');
}

const steps = stepsFor(process.argv.slice(2));
if (typeof steps === 'string') {
  console.error(steps);
  process.exit(1);
}

// inherited by every process of the run
process.env['TMPDIR'] = quickFolder();
process.env['NODE_COMPILE_CACHE'] ??= COMPILE_CACHE;

const reports = mkdtempSync(join(quickFolder(), 'voltdesk-tests-'));
const counts = steps.map((step) => taken(step, reports));
rmSync(reports, { recursive: true });

const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.flatMap((count) => count.failed);
process.exitCode = failed.length > 0 ? 1 : 0;
console.log(`\n${table(counts)}`);
if (failed.length > 0) console.log(`\n── failed\n${failed.join('\n')}`);
console.log(`\n${passed} passed, ${failed.length} failed`);
