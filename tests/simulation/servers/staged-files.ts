import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Faults of staged files: they are swept, or the disk damages what has arrived so far. */
export type StagedHarm = 'swept' | 'damaged';

/** Applies the fault to all staged files in a server's data folder. */
export function harmStaged(dataDir: string, harm: StagedHarm): void {
  for (const path of stagedIn(join(dataDir, 'staging'))) {
    if (harm === 'swept') rmSync(path);
    else if (path.endsWith('.part')) spoil(path);
  }
}

function stagedIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** Changes one byte and keeps the length. */
function spoil(path: string): void {
  const bytes = readFileSync(path);
  const last = bytes.length - 1;
  bytes[last] = 255 - (bytes[last] ?? 0);
  writeFileSync(path, bytes.subarray(0, last + 1));
}
