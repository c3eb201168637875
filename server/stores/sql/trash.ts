import { sql } from 'kysely';
import { isManyFiles, isValue } from '../../../src/domain/fields.ts';
import { doneMessage } from '../../../src/domain/messages.ts';
import type { TrashEntry, TrashPage, TrashPart } from '../../../src/domain/protocol/trash.ts';
import { photoField, type Resource, type ResourceName, textOf, titleOf } from '../../../src/domain/resource.ts';
import { isKnownKind, resourceOf } from '../../../src/domain/resources/index.ts';
import { notFound } from '../../errors/refusal.ts';
import { timestamp } from '../../services.ts';
import type { Caller, IdempotencyKey } from '../store.ts';
import type { Trash } from '../trash.ts';
import type { Change } from './change.ts';
import { executeChange } from './execute-change.ts';
import { noteChange, snapshotOf } from './history.ts';
import { rowOf } from './read.ts';
import { dropFiles, type ImageRow, imagesOf, keepAside, ownFiles } from './record-files.ts';
import type { SqlServices } from './services.ts';
import type { Database, RecordRow, TrashRow, Writing } from './tables.ts';
import { tableOf } from './tables.ts';
import { requireStill } from './tokens.ts';
import { newVersion } from './versions.ts';

/*
 * A deleted record leaves the table of its kind, so that nothing can list, count or serve it by accident. It is kept here as one row of
 * JSON. Its files stay stored, and `trashed_files` takes them away from the public.
 */

const DAY = 24 * 60 * 60 * 1000;

/** Entries per page. */
const PAGE_SIZE = 50;

/** Characters of a record's texts that are searched. */
const MOST_WORDS = 4000;

/** Rows deleted for good in one transaction. */
const AT_ONCE = 100;

/** What is kept of a deleted record. */
interface Content {
  readonly row: RecordRow;
  readonly images: readonly ImageRow[];
}

/** Who deletes, and when. */
export interface Deletion {
  readonly at: string;
  readonly by: Pick<Caller, 'user'>;
}

/** Moves a record to the trash. */
export async function trashRecord(
  writing: Writing,
  resource: Resource,
  row: RecordRow,
  { at, by }: Deletion,
): Promise<void> {
  const images = await imagesOf(writing, resource, row.id);
  const title = withoutNul(titleOf(resource, row));
  await writing
    .insertInto('trash')
    .values({
      resource: resource.name,
      record_id: row.id,
      content: JSON.stringify({ row, images } satisfies Content),
      title,
      words: wordsOf(resource, row, title),
      deleted_at: at,
      user_id: by.user.id,
      user_name: by.user.name,
    })
    .execute();
  await keepAside(writing, { resource: resource.name, record_id: row.id, since: at }, [
    ...ownFiles(resource, row),
    ...images.map(({ image }) => image),
  ]);
  await writing.deleteFrom('images').where('resource', '=', resource.name).where('record_id', '=', row.id).execute();
  await writing.deleteFrom(tableOf(resource)).where('id', '=', row.id).execute();
}

/** What a search looks through, in lower case: databases compare letters otherwise. */
function wordsOf({ fields }: Resource, row: RecordRow, title: string): string {
  const texts = fields.filter(isValue).map(({ name }) => textOf(row[name]));
  return withoutNul([title, ...texts].join('\n').slice(0, MOST_WORDS).toLowerCase());
}

/** PostgreSQL stores no NUL characters. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}

/** The trash of a store. */
export function trashIn(services: SqlServices): Trash {
  const { db } = services;
  return {
    page: (part) => trashPage(services, part),
    async restore(caller, resource, id, key) {
      const applied = await executeChange(services, restoring(services, caller, { resource, id, key }));
      services.bell.ring();
      return applied;
    },
    async purge(caller, resource, id) {
      const deleteForGood = async (writing: Writing) => {
        await requireStill(writing, caller.tokenHash, 'owner');
        if (!(await purge(writing, resource, id))) throw noLonger(resource);
      };
      await services.reserve.spend(() => db.transaction().execute(deleteForGood));
      await services.removal.begin(caller.log);
      return { message: 'Deleted for good' };
    },
    file: (name) => trashedFile(db, name),
  };
}

function trashedFile(db: Database, name: string) {
  const trashed = db.selectFrom('trashed_files').select('name');
  return db.selectFrom('files').selectAll().where('name', '=', name).where('name', 'in', trashed).executeTakeFirst();
}

async function trashPage({ db, settings }: SqlServices, { kind, search = '', before }: TrashPart): Promise<TrashPage> {
  const sought = search
    .trim()
    .toLowerCase()
    .replaceAll(/[\\%_]/g, String.raw`\$&`);
  let matching = db.selectFrom('trash');
  if (kind !== undefined) matching = matching.where('resource', '=', kind);
  if (sought !== '') matching = matching.where(sql<boolean>`words LIKE ${`%${sought}%`} ESCAPE ${sql.lit('\\')}`);
  const { total } = await matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await (before === undefined ? matching : matching.where('id', '<', before))
    .selectAll()
    .orderBy('id', 'desc')
    .limit(PAGE_SIZE)
    .execute();
  return { entries: rows.flatMap((row) => entryOf(row, settings.trashDays)), total: Number(total) };
}

function entryOf(row: TrashRow, days: number): TrashEntry[] {
  if (!isKnownKind(row.resource)) return [];
  const { content, title, deleted_at: deletedAt, user_name: deletedBy } = row;
  const resource = resourceOf(row.resource as ResourceName) as Resource;
  const kept = JSON.parse(content) as Content;
  const picture = pictureOf(resource, kept);
  return [
    {
      entry: row.id,
      resource: resource.name,
      id: row.record_id,
      title,
      deletedAt,
      deletedBy,
      until: new Date(Date.parse(deletedAt) + days * DAY).toISOString(),
      ...(picture === undefined ? {} : { picture }),
      files: ownFiles(resource, kept.row).length + kept.images.length,
    },
  ];
}

function pictureOf(resource: Resource, { row, images }: Content): string | undefined {
  const field = photoField(resource);
  if (field === undefined) return undefined;
  if (isManyFiles(field)) return images[0]?.image;
  const name = row[field.name];
  return typeof name === 'string' ? name : undefined;
}

interface Restoring {
  readonly resource: Resource;
  readonly id: number;
  readonly key: IdempotencyKey | undefined;
}

/** How a record is restored: one change like every other, with its key and its entry in the history. */
function restoring(services: SqlServices, caller: Caller, { resource, id, key }: Restoring): Change {
  return {
    caller,
    ...(key === undefined ? {} : { key }),
    missing: [],
    fields: [],
    files: [],
    check: async (db) => {
      if ((await trashedRow(db, resource, id)) === undefined && !(await isThere(db, resource, id)))
        throw noLonger(resource);
    },
    apply: async (writing) => {
      const trashed = await trashedRow(writing, resource, id);
      if (trashed !== undefined) await putBack(services, caller, writing, resource, trashed);
      const { version } = await rowOf(writing, resource, id);
      return { message: doneMessage(resource.label.message, 'Restored'), id, version };
    },
  };
}

async function putBack(
  services: SqlServices,
  by: Caller,
  writing: Writing,
  resource: Resource,
  { id, content }: TrashRow,
): Promise<void> {
  const { row, images } = JSON.parse(content) as Content;
  const at = timestamp(services);
  await writing
    .insertInto(tableOf(resource))
    .values({
      ...columnsNow(resource, row),
      id: row.id,
      version: newVersion(services),
      created_at: row.created_at,
      updated_at: at,
    })
    .execute();
  if (images.length > 0) {
    const rows = images.map((one) => ({ ...one, resource: resource.name, record_id: row.id }));
    await writing.insertInto('images').values(rows).execute();
  }
  const names = [...ownFiles(resource, row), ...images.map(({ image }) => image)];
  if (names.length > 0) await writing.deleteFrom('trashed_files').where('name', 'in', names).execute();
  await writing.deleteFrom('trash').where('id', '=', id).execute();
  // the contents are those before the deletion, so that none of them counts as changed
  const after = await snapshotOf(writing, resource, await rowOf(writing, resource, row.id));
  const what = { resource: resource.name, recordId: row.id, action: 'restore', before: after, after } as const;
  await noteChange(writing, { at, by, ...what });
}

/** The columns of a kept row that its kind still has. */
function columnsNow({ fields }: Resource, row: RecordRow): Record<string, string | number | null> {
  const own = fields.filter((field) => !isManyFiles(field));
  return Object.fromEntries(own.map(({ name }) => [name, row[name] ?? null]));
}

function trashedRow(db: Database, resource: Resource, id: number): Promise<TrashRow | undefined> {
  return db
    .selectFrom('trash')
    .selectAll()
    .where('resource', '=', resource.name)
    .where('record_id', '=', id)
    .executeTakeFirst();
}

async function isThere(db: Database, resource: Resource, id: number): Promise<boolean> {
  return (await db.selectFrom(tableOf(resource)).select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

function noLonger({ label }: Resource) {
  return notFound(`This ${label.one} is no longer in the trash.`);
}

/** Deletes a deleted record for good. Returns false if it is not in the trash. */
async function purge(writing: Writing, { name: resource }: Resource, id: number): Promise<boolean> {
  const entry = writing.deleteFrom('trash').where('resource', '=', resource).where('record_id', '=', id);
  if ((await entry.executeTakeFirst()).numDeletedRows === 0n) return false;
  const files = writing.selectFrom('trashed_files').select('name').where('resource', '=', resource);
  const names = await files.where('record_id', '=', id).execute();
  await dropTrashed(
    writing,
    names.map(({ name }) => name),
  );
  return true;
}

async function dropTrashed(writing: Writing, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE);
    await writing.deleteFrom('trashed_files').where('name', 'in', some).execute();
  }
  await dropFiles(writing, names);
}

/** What the sweep needs of a store. */
export interface Sweeping extends Pick<SqlServices, 'db' | 'owner' | 'now'> {
  /** For how many days deleted records are kept. */
  readonly days: number;
  /** Ends the sweep between two transactions. */
  readonly ending: AbortSignal;
}

/**
 * Deletes for good what was deleted longer ago than the installation keeps it. The files leave the disk by the rules of every dropped
 * file. Does nothing while the files may be somebody else's.
 */
export async function sweepTrash({ db, owner, now, days, ending }: Sweeping): Promise<void> {
  const before = new Date(now() - days * DAY).toISOString();
  while (!ending.aborted && (await hasExpired(db, before)) && (await owner.isConfirmed()))
    await db.transaction().execute((writing) => sweepSome(writing, before));
}

async function hasExpired(db: Database, before: string): Promise<boolean> {
  const entry = await db.selectFrom('trash').select('id').where('deleted_at', '<', before).limit(1).executeTakeFirst();
  if (entry !== undefined) return true;
  const file = db.selectFrom('trashed_files').select('name').where('since', '<', before).limit(1);
  return (await file.executeTakeFirst()) !== undefined;
}

/** A file has the time of its record's deletion, so it expires with it. */
async function sweepSome(writing: Writing, before: string): Promise<void> {
  const entries = await writing
    .selectFrom('trash')
    .select('id')
    .where('deleted_at', '<', before)
    .limit(AT_ONCE)
    .execute();
  const ids = entries.map(({ id }) => id);
  if (ids.length > 0) await writing.deleteFrom('trash').where('id', 'in', ids).execute();
  if (ids.length === AT_ONCE) return;
  const files = writing.selectFrom('trashed_files').select('name').where('since', '<', before).limit(AT_ONCE);
  const names = (await files.execute()).map(({ name }) => name);
  await dropTrashed(writing, names);
}
