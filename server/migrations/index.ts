import type { Migration } from 'kysely/migration';
import * as firstTables from './001-first-tables.ts';
import * as firstLookups from './002-first-lookups.ts';

/** Every step of the database's shape, in order. A step that was released is never changed: a new one follows it. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '001-first-tables': firstTables,
  '002-first-lookups': firstLookups,
};
