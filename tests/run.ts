import '../server/require-node.js';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from './harness/chromium.ts';

/**
 * `npm test`: every check, one after the other, going on after failures. The last line of output is the sum,
 * `N passed, N failed`; anything failed makes the exit code 1.
 */

interface Count {
  passed: number;
  failed: number;
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
  return run(commandLine) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** A crashed runner, or one that ran nothing, must not look like success. */
function distrust(succeeded: boolean, { passed, failed }: Count): Count {
  const silentFailure = failed === 0 && (!succeeded || passed === 0);
  return { passed, failed: silentFailure ? 1 : failed };
}

/** What a runner's JSON report says, or nothing passed where it wrote none. */
function countIn<Report>(file: string, count: (report: Report) => Count): Count {
  if (!existsSync(file)) return { passed: 0, failed: 0 };
  return count(JSON.parse(readFileSync(file, 'utf8')) as Report);
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
}

function vitest(): Count {
  const file = join(reports, 'vitest.json');
  const succeeded = run(`vitest run --reporter=default --reporter=json --outputFile.json=${file}`);
  const count = countIn<VitestReport>(file, ({ numPassedTests, numFailedTests, testResults }) => {
    const unloadable = testResults.filter((suite) => suite.status === 'failed' && suite.assertionResults.length === 0);
    return { passed: numPassedTests, failed: numFailedTests + unloadable.length };
  });
  return distrust(succeeded, count);
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number };
}

function playwright(): Count {
  installChromium();
  const file = join(reports, 'playwright.json');
  const succeeded = run('playwright test --reporter=list,json', { PLAYWRIGHT_JSON_OUTPUT_FILE: file });
  const count = countIn<PlaywrightReport>(file, ({ stats }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
  }));
  return distrust(succeeded, count);
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
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
process.exitCode = failed > 0 ? 1 : 0;
console.log(`\n${passed} passed, ${failed} failed`);
