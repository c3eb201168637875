import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Cores that each take part in a comparison of processes; with fewer, nothing is pinned. */
const CORES = 4;

/** Keeps a process, its threads and what it starts from now on to some cores, such as `0` or `2-3`. True where the system can. */
export function pin(pid: number, cores: string): boolean {
  if (process.platform !== 'linux' || availableParallelism() < CORES) return false;
  return spawnSync('taskset', ['-a', '-c', '-p', cores, String(pid)]).status === 0;
}
