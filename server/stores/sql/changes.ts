import { doneMessage } from '../../../src/domain/messages.ts';
import type { AnyResource, Resource, ResourceName } from '../../../src/domain/resource.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { readSubmitted } from '../../protocol/submitted.ts';
import { notFound } from '../../errors/refusal.ts';
import { timestamp } from '../../services.ts';
import type { SqlServices } from './services.ts';
import type { Caller, ChangeAnswer, RequestedChange } from '../store.ts';
import { assertValid } from './assert-valid.ts';
import type { Change } from './change.ts';
import { noteChange, snapshotOf, type Happening } from './history.ts';
import { rowOf } from './read.ts';
import type { PlacedFile } from './record-files.ts';
import type { Database, RecordRow, Writing } from './tables.ts';
import { trashRecord } from './trash.ts';
import { assertVersion } from './versions.ts';
import { createRecord, deleteImage, deleteRecord, updateRecord } from './write.ts';

/** How to apply one change, besides what all have in common. */
type Means = Pick<Change, 'fields' | 'files' | 'makesRoom' | 'check' | 'apply'>;

/** A requested change, and how to apply it to these tables. */
export function changeOf(services: SqlServices, caller: Caller, requested: RequestedChange): Change {
  const { missing, key, confirm } = requested;
  return {
    caller,
    missing,
    ...(key === undefined ? {} : { key }),
    ...(confirm === undefined ? {} : { confirm }),
    ...meansFor(new Work(services, caller, requested)),
  };
}

function meansFor(work: Work): Means {
  const { target } = work.requested;
  switch (target.op) {
    case 'create':
      return creating(work, target.resource);
    case 'update':
      return updating(work, target.resource, target.id);
    case 'delete':
      return deleting(work, target.resource, target.id);
    case 'delete-image':
      return deletingImage(work, target.id);
    default:
      return target satisfies never;
  }
}

/** The dependencies of every kind of change. */
class Work {
  readonly services: SqlServices;
  readonly caller: Caller;
  readonly requested: RequestedChange;

  constructor(services: SqlServices, caller: Caller, requested: RequestedChange) {
    this.services = services;
    this.caller = caller;
    this.requested = requested;
  }

  assertVersion(version: string): void {
    assertVersion(this.requested.ifMatch, version);
  }

  /** Records it in the history, with the time and the caller. */
  note(writing: Writing, what: Omit<Happening, 'at' | 'by'>): Promise<void> {
    return noteChange(writing, { at: timestamp(this.services), by: this.caller, ...what });
  }

  /** The submission for a record, and its validation. */
  submission(resource: AnyResource) {
    const submitted = readSubmitted(resource.fields, this.requested.form);
    const { maxFileBytes } = this.services.settings;
    const check = (db: Database, stored?: RecordRow) =>
      assertValid(db, resource.fields, submitted, { stored, maxFileBytes });
    return { submitted, check };
  }
}

function creating(work: Work, resource: Resource): Means {
  const { submitted, check } = work.submission(resource);
  const apply = async (writing: Writing, placed: readonly PlacedFile[]): Promise<ChangeAnswer> => {
    const written = await createRecord(work.services, writing, resource, submitted.values, placed);
    const after = await contentOf(writing, resource, written.id);
    await work.note(writing, { resource: resource.name, recordId: written.id, action: 'create', after });
    return { message: doneMessage(resource.label.message, 'Created'), ...written };
  };
  return { fields: resource.fields, files: submitted.files, check: (db) => check(db), apply };
}

function updating(work: Work, resource: AnyResource, id: number): Means {
  const { submitted, check } = work.submission(resource);
  const apply = async (writing: Writing, placed: readonly PlacedFile[]): Promise<ChangeAnswer> => {
    const before = await contentOf(writing, resource, id);
    const { version } = await updateRecord(work.services, writing, resource, id, submitted.values, placed);
    const after = await contentOf(writing, resource, id);
    await work.note(writing, { resource: resource.name, recordId: id, action: 'update', before, after });
    return { message: doneMessage(resource.label.message, 'Updated'), version };
  };
  return {
    fields: resource.fields,
    files: submitted.files,
    check: async (db) => {
      const row = await rowOf(db, resource, id);
      work.assertVersion(row.version);
      await check(db, row);
    },
    apply,
  };
}

function deleting(work: Work, resource: Resource, id: number): Means {
  return {
    fields: [],
    files: [],
    makesRoom: true,
    check: async (db) => work.assertVersion((await rowOf(db, resource, id)).version),
    apply: async (writing) => {
      const row = await rowOf(writing, resource, id);
      const before = await snapshotOf(writing, resource, row);
      const at = timestamp(work.services);
      if (work.services.settings.trashDays === 0) await deleteRecord(writing, resource, row);
      else await trashRecord(writing, resource, row, { at, by: work.caller });
      await work.note(writing, { resource: resource.name, recordId: id, action: 'delete', before });
      return { message: doneMessage(resource.label.message, 'Deleted') };
    },
  };
}

/** Deletes a stored image, on its record's base version. */
function deletingImage(work: Work, id: number): Means {
  return {
    fields: [],
    files: [],
    makesRoom: true,
    check: async (db) => {
      const { resource, recordId } = await imageOf(db, id);
      work.assertVersion((await rowOf(db, resource, recordId)).version);
    },
    apply: async (writing) => {
      const image = await imageOf(writing, id);
      const { resource, recordId } = image;
      const before = await contentOf(writing, resource, recordId);
      const { version } = await deleteImage(work.services, writing, resource, image);
      const after = await contentOf(writing, resource, recordId);
      await work.note(writing, { resource: resource.name, recordId, action: 'delete-image', before, after });
      return { message: 'Image Deleted Successfully', version };
    },
  };
}

async function imageOf(db: Database, id: number) {
  const row = await db.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw notFound('This image no longer exists.');
  const resource = resourceOf(row.resource as ResourceName);
  return { id: row.id, image: row.image, resource, recordId: row.record_id };
}

async function contentOf(db: Database, resource: AnyResource, id: number) {
  return snapshotOf(db, resource, await rowOf(db, resource, id));
}
