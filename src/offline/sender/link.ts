import type { Environment } from '../storage/environment.ts';

/** Target duration of one piece, in milliseconds. It bounds how long small changes wait and how much a cut costs. */
const AIM = 5_000;
const LEAST = 64 * 1024;
const MOST = 4 * 1024 * 1024;
const FIRST = 256 * 1024;

/** How many bytes the link carries in that time, as measured so far. */
const shown = new WeakMap<Environment, number>();

/** The current size of a piece, in bytes. */
export function pieceSize(environment: Environment): number {
  return shown.get(environment) ?? FIRST;
}

/** Records that `bytes` took `milliseconds`. The size at most doubles; the short last piece of a file says little. */
export function carried(environment: Environment, bytes: number, milliseconds: number): void {
  const size = pieceSize(environment);
  const fits = (bytes * AIM) / Math.max(1, milliseconds);
  if (bytes < size / 2 && fits > size) return;
  set(environment, Math.min(size * 2, Math.max(size / 2, fits)));
}

/**
 * Records that a change with `bytes` of files was answered within `milliseconds`. That time includes the server's own work, so it
 * can only raise the estimate.
 */
export function carriedInside(environment: Environment, bytes: number, milliseconds: number): void {
  if ((bytes * AIM) / Math.max(1, milliseconds) > pieceSize(environment)) carried(environment, bytes, milliseconds);
}

/** Records that a piece was cut. */
export function cutShort(environment: Environment): void {
  set(environment, pieceSize(environment) / 2);
}

function set(environment: Environment, bytes: number): void {
  shown.set(environment, Math.round(Math.min(MOST, Math.max(LEAST, bytes))));
}
