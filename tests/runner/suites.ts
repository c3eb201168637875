import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type Count, counted } from './count.ts';

const reporter = (name: string) => join(import.meta.dirname, `${name}-reporter.ts`);

interface Ways {
  readonly env?: Record<string, string>;
  /** Hides the command's output. */
  readonly quiet?: boolean;
}

/** Runs a command line with the project's tools on its path. Returns true if it succeeded. */
export function run(commandLine: string, { env = {}, quiet = false }: Ways = {}): boolean {
  if (!quiet) console.log(`\n── ${commandLine}`);
  const PATH = `${join(import.meta.dirname, '../../node_modules/.bin')}:${process.env['PATH']}`;
  const stdio = quiet ? 'ignore' : 'inherit';
  return spawnSync(commandLine, { shell: true, stdio, env: { ...process.env, PATH, ...env } }).status === 0;
}

interface Suite extends Ways {
  /** Where its reporter writes its count. */
  readonly file: string;
  /** Appended to the command line. */
  readonly options?: string;
}

/** Runs vitest and returns its count. */
export function vitest({ options = '', ...suite }: Suite): Count {
  return runAndCount('vitest', `vitest run --reporter=default --reporter=${reporter('vitest')} ${options}`, suite);
}

/** Runs Playwright and returns its count. */
export function playwright({ options = '', ...suite }: Suite): Count {
  const line = `playwright test --forbid-only --reporter=list,${reporter('playwright')} ${options}`;
  return runAndCount('playwright', line, suite);
}

function runAndCount(runner: string, commandLine: string, { file, env = {}, quiet = false }: Suite): Count {
  return counted(runner, file, (own) => run(commandLine, { quiet, env: { ...env, ...own } }));
}
