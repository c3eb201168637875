import type { LookupName } from '../../../src/domain/fields.ts';
import type { Database } from './tables.ts';

/** The values of a lookup list in alphabetical order. Empty if the parent is unknown. */
export async function lookupValues(db: Database, lookup: LookupName, parent = ''): Promise<string[]> {
  const rows = await db
    .selectFrom('lookups')
    .select('value')
    .where('lookup', '=', lookup)
    .where('parent', '=', parent)
    .orderBy('value')
    .execute();
  return rows.map((row) => row.value);
}
