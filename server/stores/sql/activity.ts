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
  // the contents may be large, and only a few are shown
  const facts = ['id', 'at', 'user_id', 'user_name', 'resource', 'record_id', 'action', 'sent_again_from'] as const;
  const rows = await db.selectFrom('changes').select(facts).orderBy('id', 'desc').limit(LOOKED_THROUGH).execute();
  // by the latest of its changes: a deleted record may have been restored
  const latest = new Map(rows.toReversed().map((row) => [recordOf(row), row.action]));
  const lastOfEach = new Map(rows.toReversed().map((row) => [`${row.user_id} ${recordOf(row)}`, row]));
  const shown = [...lastOfEach.values()].toSorted((one, other) => other.id - one.id).slice(0, SHOWN);
  const contents = await contentsOf(
    db,
    shown.map(({ id }) => id),
  );
  return shown.flatMap((row) => {
    const resource = byName.get(row.resource);
    if (resource === undefined) return [];
    return {
      id: row.id,
      at: row.at,
      administrator: row.user_name,
      administratorId: row.user_id,
      action: row.action as ActivityEntry['action'],
      ...(row.sent_again_from === null ? {} : { sentAgainFrom: row.sent_again_from }),
      resource: resource.name,
      recordId: row.record_id,
      title: titleOf(resource, { ...parsed(contents.get(row.id) ?? null), id: row.record_id }),
      isGone: latest.get(recordOf(row)) === 'delete',
    };
  });
}

/** The contents of records after these changes, or before a deletion, as stored. */
async function contentsOf(db: Database, ids: readonly number[]): Promise<Map<number, string | null>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('changes').select(['id', 'before', 'after']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, before, after }) => [id, after ?? before]));
}

function recordOf(row: { readonly resource: string; readonly record_id: number }): string {
  return `${row.resource}/${row.record_id}`;
}
