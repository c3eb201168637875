import { sql } from 'kysely';
import { isAttachment, isManyFiles } from '../../../src/domain/fields.ts';
import type { FieldChange, HistoryEntry, HistoryOwner, KeptFile } from '../../../src/domain/history.ts';
import type { AnyResource } from '../../../src/domain/resource.ts';
import { isKnownKind, resourceOf } from '../../../src/domain/resources/index.ts';
import { type Database, type RecordRow, tableOf, type Writing } from './tables.ts';
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
  /** The device that sends it again after this history had forgotten it. Absent for any other change. */
  readonly sentAgainFrom?: string;
}

/** Records who changed what and when, in the transaction of the change. */
export async function noteChange(writing: Writing, happening: Happening): Promise<void> {
  const { at, by, resource, recordId, action, before, after, sentAgainFrom } = happening;
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
      sent_again_from: sentAgainFrom ?? null,
    })
    .execute();
  await dropOldest(writing, resource, recordId);
}

/** Keeps the newest changes of a record, and its creation: who edits one record all day must not fill the disk. */
async function dropOldest(writing: Writing, resource: string, recordId: number): Promise<void> {
  const newest = writing
    .selectFrom('changes')
    .select('id')
    .where('resource', '=', resource)
    .where('record_id', '=', recordId)
    .orderBy('id', 'desc');
  const first = await newest.offset(MOST_KEPT).limit(1).executeTakeFirst();
  if (first === undefined) return;
  await writing
    .deleteFrom('changes')
    .where('resource', '=', resource)
    .where('record_id', '=', recordId)
    .where('id', '<=', first.id)
    .where('action', '!=', 'create')
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

/** Entries of a page of a record's history. */
const PAGE_SIZE = 50;
/** Characters of stored contents in a page. One entry is always returned, however large. */
const MOST_CONTENT = 512 * 1024;
/** Changes kept of a record. Its creation is kept besides. */
const MOST_KEPT = 500;

/**
 * A page of the history of a record, newest first: what happened before an entry, or the newest. Every page but an empty one
 * may be followed by another.
 */
export async function historyOf(
  db: Database,
  resource: string,
  recordId: number,
  earlierThan = Number.MAX_SAFE_INTEGER,
): Promise<HistoryEntry[]> {
  const own = db.selectFrom('changes').where('resource', '=', resource).where('record_id', '=', recordId);
  const length = sql<number>`coalesce(length(before), 0) + coalesce(length(after), 0)`.as('length');
  const page = await own
    .select(['id', length])
    .where('id', '<', earlierThan)
    .orderBy('id', 'desc')
    .limit(PAGE_SIZE)
    .execute();
  let content = 0;
  const fitting = page.filter((entry, index) => (content += Number(entry.length)) <= MOST_CONTENT || index === 0);
  const oldest = fitting.at(-1)?.id;
  if (oldest === undefined) return [];
  const rows = await own
    .selectAll()
    .where('id', '<', earlierThan)
    .where('id', '>=', oldest)
    .orderBy('id', 'desc')
    .execute();
  const kept = await keptFiles(db, resource, recordId);
  return rows.map(({ id, at, user_name, action, before, after, sent_again_from }) => ({
    id,
    at,
    administrator: user_name,
    action: action as HistoryEntry['action'],
    ...(sent_again_from === null ? {} : { sentAgainFrom: sent_again_from }),
    changes: differences(parsed(before), parsed(after)),
    ...filesAmong(kept, parsed(after)),
  }));
}

/** The names of files that a record has no more and that are kept. One that was stored again is there, under another name. */
async function keptFiles(db: Database, resource: string, recordId: number): Promise<ReadonlySet<string>> {
  const kept = await db
    .selectFrom('trashed_files')
    .innerJoin('files', 'files.name', 'trashed_files.name')
    .select(['files.name', 'files.sha256', 'files.received_sha256'])
    .where('resource', '=', resource)
    .where('record_id', '=', recordId)
    .execute();
  if (kept.length === 0) return new Set();
  const present = await bytesOf(db, resource, recordId);
  const gone = kept.filter((file) => !present.has(file.sha256) && !present.has(file.received_sha256));
  return new Set(gone.map(({ name }) => name));
}

/** The hashes of a record's files, as they were received. */
async function bytesOf(db: Database, name: string, recordId: number): Promise<ReadonlySet<string>> {
  if (!isKnownKind(name)) return new Set();
  const resource = resourceOf(name);
  const row = await db.selectFrom(tableOf(resource)).selectAll().where('id', '=', recordId).executeTakeFirst();
  if (row === undefined) return new Set();
  const images = hasImages(resource) ? await imagesOf(db, resource, recordId) : [];
  const names = [...ownFiles(resource, row as RecordRow), ...images.map(({ image }) => image)];
  if (names.length === 0) return new Set();
  const files = await db.selectFrom('files').select('received_sha256').where('name', 'in', names).execute();
  return new Set(files.map((file) => file.received_sha256));
}

/** The files of a version that are kept. */
function filesAmong(kept: ReadonlySet<string>, version: Content): Pick<HistoryEntry, 'files'> {
  if (kept.size === 0) return {};
  const files = Object.entries(version).flatMap(([field, value]) =>
    [value].flat().flatMap((one) => {
      const { file, name } = (typeof one === 'object' && one !== null ? one : {}) as Partial<KeptFile>;
      return file !== undefined && kept.has(file) ? [{ field, file, name: name ?? file }] : [];
    }),
  );
  return files.length === 0 ? {} : { files };
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
