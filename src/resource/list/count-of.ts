import type { Resource } from '../../domain/resource.ts';
import { formatCount } from '../../ui/format.ts';

/** A number of records in words: "5 partners". */
export function countOf({ label: { noun } }: Resource, count: number): string {
  return formatCount(count, noun.one, noun.many);
}
