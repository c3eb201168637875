import { changedSince, matches } from '../../errors/refusal.ts';
import type { SqlServices } from './services.ts';

/** The sources of versions and times. */
export type Marks = Pick<SqlServices, 'now' | 'randomBytes'>;

/**
 * A version is random rather than a counter: after a restore, a counter would reuse versions that devices have already seen
 * for other content.
 */
export function newVersion({ randomBytes }: Pick<Marks, 'randomBytes'>): string {
  return randomBytes(9).toString('base64url');
}

/** Throws 412 unless the base version is the current one. Without `If-Match` any version is accepted. */
export function assertVersion(ifMatch: string | undefined, version: string): void {
  if (!matches(ifMatch, version)) throw changedSince(version);
}
