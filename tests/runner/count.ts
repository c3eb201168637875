import { readFileSync, rmSync, writeFileSync } from 'node:fs';

/** What a part of `npm test` found. */
export interface Count {
  readonly passed: number;
  /** What failed, by name. */
  readonly failed: readonly string[];
}

/** The environment variable that names the file a reporter writes its count to. */
const COUNT_FILE = 'VOLTDESK_COUNT_FILE';

/** Writes the count where the runner looks for it. Errors: the variable is not set. */
export function writeCount(count: Count): void {
  const file = process.env[COUNT_FILE];
  if (!file) throw new Error(`${COUNT_FILE} names no file`);
  writeFileSync(file, JSON.stringify(count));
}

/**
 * Runs `run` with a file for its reporter and answers what the reporter counted. A runner that crashed before it reported,
 * failed without saying what, or ran nothing must not look like success.
 */
export function counted(runner: string, file: string, run: (env: Record<string, string>) => boolean): Count {
  rmSync(file, { force: true });
  const succeeded = run({ [COUNT_FILE]: file });
  const { passed, failed } = readCount(file);
  const silent = failed.length === 0 && (!succeeded || passed === 0);
  return { passed, failed: silent ? [`${runner} as a whole`] : failed };
}

function readCount(file: string): Count {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Count;
  } catch {
    return { passed: 0, failed: [] };
  }
}

/** The first line of an error's message. */
export function firstLine(message = ''): string {
  return message.split('\n')[0] ?? '';
}
