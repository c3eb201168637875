import type { ActivityEntry } from '../../../src/domain/activity.ts';
import { type AnyResource, titleOf } from '../../../src/domain/resource.ts';
import { RESOURCES } from '../../../src/domain/resources/index.ts';
import { siteMeta } from '../../../src/domain/resources/site-meta.ts';
import { parsed } from './history.ts';
import type { Database } from './tables.ts';

/** Number of changes examined. Many are to one record, as when someone fills it in step by step. */
const LOOKED_THROUGH = 200;
const SHOWN = 20;

const byName = new Map<string, AnyResource>([...RESOURCES, siteMeta].map((resource) => [resource.name, resource]));

/** Recent activity, newest first. Lists each person once per record. */
export async function activityIn(db: Database): Promise<ActivityEntry[]> {
  const rows = await db.selectFrom('changes').selectAll().orderBy('id', 'desc').limit(LOOKED_THROUGH).execute();
  const gone = new Set(rows.filter(({ action }) => action === 'delete').map(recordOf));
  const lastOfEach = new Map(rows.toReversed().map((row) => [`${row.user_id} ${recordOf(row)}`, row]));
  return [...lastOfEach.values()]
    .toSorted((one, other) => other.id - one.id)
    .slice(0, SHOWN)
    .flatMap((row) => {
      const resource = byName.get(row.resource);
      if (resource === undefined) return [];
      return {
        id: row.id,
        at: row.at,
        administrator: row.user_name,
        administratorId: row.user_id,
        action: row.action as ActivityEntry['action'],
        resource: resource.name,
        recordId: row.record_id,
        title: titleOf(resource, { ...parsed(row.after ?? row.before), id: row.record_id }),
        isGone: gone.has(recordOf(row)),
      };
    });
}

function recordOf(row: { readonly resource: string; readonly record_id: number }): string {
  return `${row.resource}/${row.record_id}`;
}
