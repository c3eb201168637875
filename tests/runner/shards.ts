import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ENGINES } from '../engines/drive/tab.ts';
import { installEngines } from '../engines/install.ts';
import { findChromium, findHeadlessShell } from '../harness/chromium.ts';
import { hasLaravel, LARAVEL_PACKAGES } from '../harness/laravel.ts';
import type { Count } from './count.ts';
import type { ProjectName } from './projects.ts';
import { playwright, run, vitest } from './suites.ts';

/** A part of a run. */
export interface Step {
  readonly name: string;
  /** The Vitest projects that it runs. */
  readonly projects?: readonly ProjectName[];
  /** Runs it. The folder is for its reports. */
  readonly run: (reports: string) => Count;
}

/** A part of all tests that runs alone. */
interface Shard {
  readonly holds: string;
  readonly steps: readonly Step[];
}

/** Runs a tool that is a single check: it passes or fails as a whole. */
function check(script: string): Step {
  const line = `npm run --silent ${script}`;
  return { name: script, run: () => (run(line) ? { passed: 1, failed: [] } : { passed: 0, failed: [line] }) };
}

/** Runs projects of `vitest.config.ts`. */
function tests(name: string, ...projects: readonly ProjectName[]): Step {
  const options = projects.map((project) => `--project ${project}`).join(' ');
  return { name, projects, run: (reports) => vitest({ file: join(reports, 'vitest.json'), options }) };
}

/** Runs a project of `playwright.config.ts` in Chromium. */
function inChromium(name: string, project: string): Step {
  const options = `--project ${project}`;
  return {
    name,
    run(reports) {
      installChromium();
      return playwright({ file: join(reports, 'playwright.json'), options });
    },
  };
}

/**
 * Installs a Chromium if the machine has none: Debian's if possible, otherwise Playwright's download. Debian's headless shell
 * comes along where it exists; without it every browser test uses the whole browser.
 */
function installChromium(): void {
  const isThere = findChromium() !== undefined && findHeadlessShell() !== findChromium();
  if (isThere || process.env['CHROMIUM_PATH']) return;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const install = 'apt-get install -y --no-install-recommends';
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    run(`apt-get update && ${install} chromium`, { env });
    run(`${install} chromium-headless-shell`, { env });
  }
  if (!findChromium()) run('playwright install chromium');
}

/** Runs the walks in three engines. An unavailable engine is reported, and in CI it is a failure. */
const inEngines: Step = {
  name: 'three engines',
  run(reports) {
    const absent = installEngines();
    const unrun = absent.map((engine) => `${engine} cannot be installed here: its walks did not run`);
    for (const line of unrun) console.log(line);
    const projects = ENGINES.filter((engine) => !absent.includes(engine)).map((engine) => `--project ${engine}`);
    const options = `--config tests/engines/playwright.config.ts ${projects.join(' ')}`;
    const env = { ENGINES_AFTER_E2E: '1' };
    const { passed, failed } = playwright({ file: join(reports, 'engines.json'), options, env });
    return { passed, failed: process.env['CI'] ? [...unrun, ...failed] : failed };
  },
};

/** Runs the tests before a genuine Laravel. If it cannot be had, that is reported, and in CI it is a failure. */
const beforeLaravel: Step = {
  name: 'Laravel',
  projects: ['long-laravel'],
  run(reports) {
    const packages = LARAVEL_PACKAGES.join(' ');
    if (!hasLaravel() && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
      const install = `apt-get update && apt-get install -y --no-install-recommends ${packages}`;
      run(install, { env: { DEBIAN_FRONTEND: 'noninteractive' } });
    }
    if (hasLaravel()) return tests('Laravel', 'long-laravel').run(reports);
    const unrun = `Laravel cannot be installed here (${packages}): its tests did not run`;
    console.log(unrun);
    return { passed: 0, failed: process.env['CI'] ? [unrun] : [] };
  },
};

/** What `npm test` runs. */
const QUICK: Shard = {
  holds: 'what `npm test` runs',
  steps: [
    check('format:check'),
    check('types'),
    check('lint'),
    check('unused'),
    check('build'),
    check('size'),
    tests('unit, server, screens', 'pure', 'server', 'simulation', 'tooling', 'ui'),
    inChromium('browser', 'chromium'),
  ],
};

/** All tests, in parts that each take at most a quarter of an hour on two cores. */
export const SHARDS: readonly Shard[] = [
  QUICK,
  {
    holds: 'long tests of the server, of the outbox and of screens',
    steps: [tests('long server, outbox, screens', 'long-server', 'long-pure', 'long-ui')],
  },
  {
    holds: 'the server on PostgreSQL, and in front of a genuine Laravel',
    steps: [tests('PostgreSQL', 'long-postgres'), beforeLaravel],
  },
  { holds: '1,700 simulated worlds', steps: [tests('simulation', 'long-simulation')] },
  { holds: 'long browser tests', steps: [inChromium('long browser', 'long')] },
  { holds: 'the walks in three engines, tests of the tools', steps: [tests('tools', 'long-tooling'), inEngines] },
];

/**
 * The steps that a command line asks for: none is `npm test`, `--all` everything, `--all --shard 3/6` a part of it. Returns
 * what is wrong with any other one.
 */
export function stepsFor(args: readonly string[]): readonly Step[] | string {
  const [all, option, value = '', ...more] = args;
  if (all === undefined) return QUICK.steps;
  if (all !== '--all' || more.length > 0 || (option !== undefined && option !== '--shard'))
    return `Unknown: ${args.join(' ')}. There are \`npm test\`, \`npm run test:all\` and \`npm run test:all -- --shard 1/${SHARDS.length}\`.`;
  if (option === undefined) return SHARDS.flatMap(({ steps }) => steps);
  const [, number, of] = /^(\d+)\/(\d+)$/.exec(value) ?? [];
  const shard = Number(of) === SHARDS.length ? SHARDS[Number(number) - 1] : undefined;
  return shard?.steps ?? `There is no shard "${value}". There are:\n${listed()}`;
}

function listed(): string {
  return SHARDS.map(({ holds }, i) => `${i + 1}/${SHARDS.length}  ${holds}`).join('\n');
}
