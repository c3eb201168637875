import { RESOURCES } from '../../../src/domain/resources/index.ts';
import { siteMeta } from '../../../src/domain/resources/site-meta.ts';
import { tableOf } from './tables.ts';

/** The subject that the looked-up lists have in the feed, all together: they are short, and change by hand. */
export const LOOKUPS_SUBJECT = 'lookups';

/** A table whose rows are in the feed, and what is told of them there. */
export interface Followed {
  readonly table: string;
  readonly subject: string;
  /** Absent: the whole table is one subject. */
  readonly idColumn?: 'id';
}

/** Everything that the feed tells of. */
export const FOLLOWED: readonly Followed[] = [
  ...RESOURCES.map((resource) => ({ table: tableOf(resource), subject: resource.name, idColumn: 'id' as const })),
  { table: 'site_meta', subject: siteMeta.name, idColumn: 'id' },
  { table: 'lookups', subject: LOOKUPS_SUBJECT },
];
