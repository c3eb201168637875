import '../server/require-node.js';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENGINES } from './engines/drive/tab.ts';
import { installEngines } from './engines/install.ts';
import { findChromium, findHeadlessShell } from './harness/chromium.ts';
import { COMPILE_CACHE } from './harness/compile-cache.ts';
import type { Count } from './runner/count.ts';
import { playwright, run, vitest } from './runner/suites.ts';

/**
 * `npm test`: runs every check in sequence and continues after failures. At the end it prints the names of what failed. The
 * last line of output is the total, `N passed, N failed`. Any failure makes the exit code 1.
 */

// inherited by every process of the run
process.env['NODE_COMPILE_CACHE'] ??= COMPILE_CACHE;

const reports = mkdtempSync(join(tmpdir(), 'voltdesk-tests-'));

/** Runs a tool that is a single check: it passes or fails as a whole. */
function check(commandLine: string): Count {
  return run(commandLine) ? { passed: 1, failed: [] } : { passed: 0, failed: [commandLine] };
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

function browsers(): Count {
  installChromium();
  return playwright({ file: join(reports, 'playwright.json') });
}

/** Runs the walks in three engines. An unavailable engine is reported, and in CI it is a failure. */
function engines(): Count {
  const absent = installEngines();
  const unrun = absent.map((engine) => `${engine} cannot be installed here: its walks did not run`);
  for (const line of unrun) console.log(line);
  const projects = ENGINES.filter((engine) => !absent.includes(engine)).map((engine) => `--project ${engine}`);
  const options = `--config tests/engines/playwright.config.ts ${projects.join(' ')}`;
  const { passed, failed } = playwright({
    file: join(reports, 'engines.json'),
    options,
    env: { ENGINES_AFTER_E2E: '1' },
  });
  return { passed, failed: process.env['CI'] ? [...unrun, ...failed] : failed };
}

const counts = [
  check('npm run --silent format:check'),
  check('npm run --silent types'),
  check('npm run --silent lint'),
  check('npm run --silent unused'),
  check('npm run --silent build'),
  check('npm run --silent size'),
  vitest({ file: join(reports, 'vitest.json') }),
  browsers(),
  engines(),
];
rmSync(reports, { recursive: true });

const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.flatMap((count) => count.failed);
process.exitCode = failed.length > 0 ? 1 : 0;
if (failed.length > 0) console.log(`\n── failed\n${failed.join('\n')}`);
console.log(`\n${passed} passed, ${failed.length} failed`);
