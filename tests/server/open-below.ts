import { readdir, readlink } from 'node:fs/promises';

/** The files below a folder that this process holds open. None on a system that does not tell: only Linux does. */
export async function openBelow(folder: string): Promise<string[]> {
  const numbers = await readdir('/proc/self/fd').catch(() => []);
  const targets = await Promise.all(numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(`${folder}/`));
}
