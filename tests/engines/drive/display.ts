import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

/** A virtual screen, for a browser that cannot run without one. */
export interface Display {
  /** As in the environment variable: `:7`. */
  readonly name: string;
  close(): void;
}

/** Starts a virtual screen. Resolves when it can be used. */
export async function openDisplay(): Promise<Display> {
  const args = ['-displayfd', '3', '-screen', '0', '1600x1400x24', '-nolisten', 'tcp'];
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const [number] = (await Promise.race([
    once(server.stdio[3] as Readable, 'data'),
    once(server, 'exit').then(() => Promise.reject(new Error('Xvfb did not start.'))),
  ])) as [Buffer];
  return { name: `:${number.toString().trim()}`, close: () => void server.kill('SIGKILL') };
}
