import type { Environment } from '../storage/environment.ts';

/** How long one piece is to take, in milliseconds: what is small waits no longer for it, and a cut costs no more. */
const AIM = 5_000;
const LEAST = 64 * 1024;
const MOST = 4 * 1024 * 1024;
const FIRST = 256 * 1024;

/** How many bytes the link carries in that time, as far as it has shown. */
const shown = new WeakMap<Environment, number>();

/** So many bytes go in one piece now. */
export function pieceSize(environment: Environment): number {
  return shown.get(environment) ?? FIRST;
}

/** So many bytes took so many milliseconds. At most twice as many are tried next; the short end of a file tells little. */
export function carried(environment: Environment, bytes: number, milliseconds: number): void {
  const size = pieceSize(environment);
  const fits = (bytes * AIM) / Math.max(1, milliseconds);
  if (bytes < size / 2 && fits > size) return;
  set(environment, Math.min(size * 2, Math.max(size / 2, fits)));
}

/**
 * A change with so many bytes of files was answered within so many milliseconds. The server's own work is in them: they may show that
 * the link carries more than was known, never that it carries less.
 */
export function carriedInside(environment: Environment, bytes: number, milliseconds: number): void {
  if ((bytes * AIM) / Math.max(1, milliseconds) > pieceSize(environment)) carried(environment, bytes, milliseconds);
}

/** A piece was cut. */
export function cutShort(environment: Environment): void {
  set(environment, pieceSize(environment) / 2);
}

function set(environment: Environment, bytes: number): void {
  shown.set(environment, Math.round(Math.min(MOST, Math.max(LEAST, bytes))));
}
