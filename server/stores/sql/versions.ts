import { changedSince, matches } from '../../refusal.ts';
import type { SqlServices } from './services.ts';

/** Where versions and times come from. */
export type Marks = Pick<SqlServices, 'now' | 'randomBytes'>;

/**
 * A version is a random text rather than a count: after a backup was restored a count would give a version
 * that devices have already seen, to another content.
 */
export function newVersion({ randomBytes }: Pick<Marks, 'randomBytes'>): string {
  return randomBytes(9).toString('base64url');
}

/** Throws 412 unless the version that the sender saw is the present one. Without `If-Match` anything goes. */
export function assertVersion(ifMatch: string | undefined, version: string): void {
  if (!matches(ifMatch, version)) throw changedSince(version);
}
