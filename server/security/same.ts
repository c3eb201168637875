import { timingSafeEqual } from 'node:crypto';

/** True when two texts are the same; the time it takes does not tell how nearly. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
