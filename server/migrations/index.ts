import type { Migration } from 'kysely/migration';
import { up as firstTables } from './001-first-tables.ts';
import { up as firstLookups } from './002-first-lookups.ts';

/** Every step of the database's shape, in order. A step that was released is never changed: a new one follows it. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '001-first-tables': { up: firstTables },
  '002-first-lookups': { up: firstLookups },
};
