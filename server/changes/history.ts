import type { Resource, ResourceName } from '../../src/domain/resource.ts';
import type { Database, RecordRow, Writing } from '../database/tables.ts';

/** What was done to a record. */
export type Action = 'create' | 'update' | 'delete' | 'delete-image';

/** A record's contents at one time: its fields, and the names of its images. */
export type Snapshot = Readonly<Record<string, unknown>>;

interface Happening {
  readonly at: string;
  readonly by: { readonly user: { readonly id: number; readonly name: string } };
  readonly resource: ResourceName | 'site-meta';
  readonly recordId: number;
  readonly action: Action;
  readonly before: Snapshot | undefined;
  readonly after: Snapshot | undefined;
}

/** Writes down who changed what, in the transaction of the change. */
export async function noteChange(writing: Writing, happening: Happening): Promise<void> {
  const { at, by, resource, recordId, action, before, after } = happening;
  await writing
    .insertInto('changes')
    .values({
      at,
      user_id: by.user.id,
      user_name: by.user.name,
      resource,
      record_id: recordId,
      action,
      before: before === undefined ? null : JSON.stringify(before),
      after: after === undefined ? null : JSON.stringify(after),
    })
    .execute();
}

/** A record as the history keeps it. */
export async function snapshotOf(db: Database, resource: Resource, row: RecordRow): Promise<Snapshot> {
  const { id: _id, version: _version, created_at: _created, updated_at: _updated, ...fields } = row;
  if (!resource.fields.some((field) => field.kind === 'images')) return fields;
  const images = await db
    .selectFrom('images')
    .select('image')
    .where('resource', '=', resource.name)
    .where('record_id', '=', row.id)
    .orderBy('id')
    .execute();
  return { ...fields, images: images.map((image) => image.image) };
}
