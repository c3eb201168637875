import { readFileSync, rmSync, writeFileSync } from 'node:fs';

/** The result of a part of `npm test`. */
export interface Count {
  readonly passed: number;
  /** The names of what failed. */
  readonly failed: readonly string[];
}

/** The environment variable with the path of the file that a reporter writes its count to. */
const COUNT_FILE = 'VOLTDESK_COUNT_FILE';

/** Writes the count for the runner. Throws if the variable is not set. */
export function writeCount(count: Count): void {
  const file = process.env[COUNT_FILE];
  if (!file) throw new Error(`${COUNT_FILE} names no file`);
  writeFileSync(file, JSON.stringify(count));
}

/**
 * Calls `run` with a file for its reporter and returns the reporter's count. A runner that crashed before it reported,
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
