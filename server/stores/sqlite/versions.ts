import { Refusal } from '../../refusal.ts';
import type { Services } from '../../services.ts';

/** Where versions and times come from. */
export type Marks = Pick<Services, 'now' | 'randomBytes'>;

/**
 * A version is a random text rather than a count: after a backup was restored a count would give a version
 * that devices have already seen, to another content.
 */
export function newVersion({ randomBytes }: Pick<Marks, 'randomBytes'>): string {
  return randomBytes(9).toString('base64url');
}

/** Throws 412 unless the version that the sender saw is the present one. Without `If-Match` anything goes. */
export function assertVersion(ifMatch: string | undefined, version: string): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const seen = ifMatch.split(',').map((tag) => tag.trim().replace(/^(W\/)?"(.*)"$/, '$2'));
  if (seen.includes(version)) return;
  throw new Refusal(412, {
    message: 'This record was changed by someone else in the meantime.',
    code: 'version-mismatch',
    version,
  });
}
