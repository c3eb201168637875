import { RESOURCES } from '../../../src/domain/resources/index.ts';
import { siteMeta } from '../../../src/domain/resources/site-meta.ts';
import { tableOf } from './tables.ts';

/** The feed's subject for all lookup lists together: they are short and edited by hand. */
export const LOOKUPS_SUBJECT = 'lookups';

/** A table whose rows are in the feed, and their subject there. */
export interface Followed {
  readonly table: string;
  readonly subject: string;
  /** Absent if the whole table is one subject. */
  readonly idColumn?: 'id';
}

/** All tables in the feed. */
export const FOLLOWED: readonly Followed[] = [
  ...RESOURCES.map((resource) => ({ table: tableOf(resource), subject: resource.name, idColumn: 'id' as const })),
  { table: 'site_meta', subject: siteMeta.name, idColumn: 'id' },
  { table: 'lookups', subject: LOOKUPS_SUBJECT },
];
