import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
/** Bytes. A whole run needs less. Containers often have only 64 MB there. */
const ENOUGH = 2e9;

/**
 * The folder for temporary files: in memory where the machine allows it, because a commit there takes 0.01 ms and on a disk 0.2.
 * A `TMPDIR` comes first.
 */
export function quickFolder(): string {
  return process.env['TMPDIR'] ?? (hasRoomInMemory() ? MEMORY : tmpdir());
}

function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === MEMORY);
    // programs are started there too
    return bavail * bsize > ENOUGH && mount !== undefined && !/\bnoexec\b/.test(mount);
  } catch {
    return false;
  }
}
