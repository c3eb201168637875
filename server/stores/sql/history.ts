import { isAttachment, isManyFiles } from '../../../src/domain/fields.ts';
import type { FieldChange, HistoryEntry, HistoryOwner } from '../../../src/domain/history.ts';
import type { AnyResource } from '../../../src/domain/resource.ts';
import type { Database, RecordRow, Writing } from './tables.ts';
import { hasImages, imagesOf, ownFiles } from './record-files.ts';

/** The contents of a record at one time: its fields, and the names of its images. */
export type Snapshot = Readonly<Record<string, unknown>>;

export interface Happening {
  readonly at: string;
  readonly by: { readonly user: { readonly id: number; readonly name: string } };
  readonly resource: HistoryOwner['name'];
  readonly recordId: number;
  readonly action: HistoryEntry['action'];
  /** Absent for a create. */
  readonly before?: Snapshot;
  /** Absent for a delete. */
  readonly after?: Snapshot;
}

/** Records who changed what and when, in the transaction of the change. */
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

/** A record as stored in the history: its fields and, for each file, its stored name and the administrator's name for it. */
export async function snapshotOf(db: Database, resource: AnyResource, row: RecordRow): Promise<Snapshot> {
  const { id: _id, version: _version, created_at: _created, updated_at: _updated, ...fields } = row;
  const images = hasImages(resource) ? (await imagesOf(db, resource, row.id)).map((image) => image.image) : [];
  const names = await originalNames(db, [...ownFiles(resource, row), ...images]);
  const snapshot: Record<string, unknown> = { ...fields };
  for (const field of resource.fields.filter(isAttachment)) {
    const file = row[field.name];
    if (isManyFiles(field)) snapshot[field.name] = images.map((name) => ({ file: name, name: names.get(name) }));
    else if (typeof file === 'string') snapshot[field.name] = { file, name: names.get(file) };
  }
  return snapshot;
}

async function originalNames(db: Database, files: readonly string[]): Promise<Map<string, string>> {
  if (files.length === 0) return new Map();
  const rows = await db.selectFrom('files').select(['name', 'original_name']).where('name', 'in', files).execute();
  return new Map(rows.map((row) => [row.name, row.original_name]));
}

/** The history of a record, newest first. */
export async function historyOf(db: Database, resource: string, recordId: number): Promise<HistoryEntry[]> {
  const rows = await db
    .selectFrom('changes')
    .selectAll()
    .where('resource', '=', resource)
    .where('record_id', '=', recordId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ id, at, user_name, action, before, after }) => ({
    id,
    at,
    administrator: user_name,
    action: action as HistoryEntry['action'],
    changes: differences(parsed(before), parsed(after)),
  }));
}

type Content = Readonly<Record<string, unknown>>;

/** The changed fields with readable values. Files have the names that administrators gave them. */
function differences(before: Content, after: Content): FieldChange[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .filter((field) => contentOf(before[field]) !== contentOf(after[field]))
    .map((field) => ({ field, before: inWords(before[field]), after: inWords(after[field]) }));
}

/** The stored form of a value. No photos are no value. */
function contentOf(value: unknown): string {
  return JSON.stringify(Array.isArray(value) && value.length === 0 ? null : (value ?? null));
}

function inWords(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(inWords).join(', ');
  if (typeof value === 'object') return 'name' in value ? String(value.name) : JSON.stringify(value);
  return String(value);
}

/** Parses the contents of a record in the history. */
export function parsed(text: string | null): Content {
  return text === null ? {} : (JSON.parse(text) as Content);
}
