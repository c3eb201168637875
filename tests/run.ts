import '../server/require-node.js';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { findChromium } from './harness/chromium.ts';

/**
 * `npm test`: every check, one after the other, going on after failures. At the end stands what failed, by name; the last
 * line of output is the sum, `N passed, N failed`. Anything failed makes the exit code 1.
 */

interface Count {
  readonly passed: number;
  /** What failed, by name. */
  readonly failed: readonly string[];
}

const reports = mkdtempSync(join(tmpdir(), 'voltdesk-tests-'));

/** Runs a command line with the project's tools on its path; true when it succeeded. */
function run(commandLine: string, env: Record<string, string> = {}): boolean {
  console.log(`\n── ${commandLine}`);
  const PATH = `node_modules/.bin:${process.env['PATH']}`;
  return spawnSync(commandLine, { shell: true, stdio: 'inherit', env: { ...process.env, PATH, ...env } }).status === 0;
}

/** A tool that is one check: it passes or fails as a whole. */
function check(commandLine: string): Count {
  return run(commandLine) ? { passed: 1, failed: [] } : { passed: 0, failed: [commandLine] };
}

/** A crashed runner, or one that ran nothing, must not look like success. */
function distrust(runner: string, succeeded: boolean, { passed, failed }: Count): Count {
  const silentFailure = failed.length === 0 && (!succeeded || passed === 0);
  return { passed, failed: silentFailure ? [`${runner} as a whole`] : failed };
}

/** What a runner's JSON report says, or nothing passed where it wrote none. */
function countIn<Report>(file: string, count: (report: Report) => Count): Count {
  if (!existsSync(file)) return { passed: 0, failed: [] };
  return count(JSON.parse(readFileSync(file, 'utf8')) as Report);
}

interface VitestReport {
  numPassedTests: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

function vitest(): Count {
  const file = join(reports, 'vitest.json');
  const succeeded = run(`vitest run --reporter=default --reporter=json --outputFile.json=${file}`);
  const count = countIn<VitestReport>(file, ({ numPassedTests, testResults }) => ({
    passed: numPassedTests,
    failed: testResults.flatMap(failuresIn),
  }));
  return distrust('vitest', succeeded, count);
}

/** A file that could not even be loaded counts as one failure. */
function failuresIn({ name, status, assertionResults }: VitestReport['testResults'][number]): string[] {
  const place = relative(process.cwd(), name);
  if (status === 'failed' && assertionResults.length === 0) return [place];
  return assertionResults
    .filter((result) => result.status === 'failed')
    .map(({ fullName, failureMessages: [message = ''] }) => `${place} › ${fullName}: ${firstLine(message)}`);
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs?: { title: string; file: string; ok: boolean }[];
}

interface PlaywrightReport extends PlaywrightSuite {
  stats: { expected: number };
}

function playwright(): Count {
  installChromium();
  const file = join(reports, 'playwright.json');
  const succeeded = run('playwright test --reporter=list,json', { PLAYWRIGHT_JSON_OUTPUT_FILE: file });
  const count = countIn<PlaywrightReport>(file, (report) => ({
    passed: report.stats.expected,
    failed: brokenIn(report),
  }));
  return distrust('playwright', succeeded, count);
}

function brokenIn({ suites = [], specs = [] }: PlaywrightSuite): string[] {
  const own = specs.filter(({ ok }) => !ok).map(({ file, title }) => `${file} › ${title}`);
  return [...own, ...suites.flatMap(brokenIn)];
}

function firstLine(message: string): string {
  return message.split('\n')[0] ?? '';
}

/** A machine without a Chromium gets one: Debian's where that is possible, else the one Playwright downloads. */
function installChromium(): void {
  if (findChromium()) return;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    run('apt-get update && apt-get install -y --no-install-recommends chromium', { DEBIAN_FRONTEND: 'noninteractive' });
  }
  if (!findChromium()) run('playwright install chromium');
}

const counts = [
  check('npm run --silent format:check'),
  check('npm run --silent types'),
  check('npm run --silent lint'),
  check('npm run --silent unused'),
  check('npm run --silent build'),
  check('npm run --silent size'),
  vitest(),
  playwright(),
];
rmSync(reports, { recursive: true });

const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.flatMap((count) => count.failed);
process.exitCode = failed.length > 0 ? 1 : 0;
if (failed.length > 0) console.log(`\n── failed\n${failed.join('\n')}`);
console.log(`\n${passed} passed, ${failed.length} failed`);
