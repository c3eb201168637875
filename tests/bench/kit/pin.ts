import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Cores needed for a comparison of processes. With fewer, nothing is pinned. */
const CORES = 4;

/** Pins a process, its threads and future children to cores such as `0` or `2-3`. Returns false if the system cannot. */
export function pin(pid: number, cores: string): boolean {
  if (process.platform !== 'linux' || availableParallelism() < CORES) return false;
  return spawnSync('taskset', ['-a', '-c', '-p', cores, String(pid)]).status === 0;
}
