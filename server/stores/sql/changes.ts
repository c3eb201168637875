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
import { type Database, type RecordRow, tableOf, type Writing } from './tables.ts';
import { trashRecord } from './trash.ts';
import { assertVersion } from './versions.ts';
import {
  deviceOf,
  dropDeletedImages,
  givenIds,
  isRecordDeleted,
  noteImageDeleted,
  noteRecordDeleted,
} from './sent-again.ts';
import { createRecord, deleteImage, deleteRecord, type GivenIds, updateRecord } from './write.ts';

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
  async note(writing: Writing, what: Omit<Happening, 'at' | 'by'>): Promise<void> {
    const { again } = this.requested;
    const from = again === undefined ? {} : { sentAgainFrom: await deviceOf(writing, this.caller.tokenHash) };
    return noteChange(writing, { at: timestamp(this.services), by: this.caller, ...from, ...what });
  }

  /** The ids to give to a record, if it is new, and to its images. Undefined for a change that is made for the first time. */
  async givenIds(writing: Writing, resource: AnyResource, isNew: boolean): Promise<GivenIds | undefined> {
    const { again } = this.requested;
    if (again === undefined) return undefined;
    return givenIds(this.services, writing, resource, isNew ? again : { images: again.images ?? [] });
  }

  /** Moves a record to the trash, or deletes it if there is none. */
  async remove(writing: Writing, resource: Resource, row: RecordRow): Promise<void> {
    const at = timestamp(this.services);
    if (this.services.settings.trashDays === 0) await deleteRecord(writing, resource, row);
    else await trashRecord(writing, resource, row, { at, by: this.caller });
  }

  /** True if the change is sent again and deletes what this history does not have, and has perhaps not got back yet. */
  async isForgotten(db: Database, table: 'records' | 'images', id: number): Promise<boolean> {
    if (this.requested.again === undefined) return false;
    return (await db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()) === undefined;
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
    const given = await work.givenIds(writing, resource, true);
    const written = await createRecord(work.services, writing, resource, submitted.values, placed, given);
    await dropDeletedImages(writing, work.requested.again);
    const after = await contentOf(writing, resource, written.id);
    await work.note(writing, { resource: resource.name, recordId: written.id, action: 'create', after });
    const message = doneMessage(resource.label.message, 'Created');
    if (!(await isRecordDeleted(writing, resource, work.requested.again))) return { message, ...written };
    await work.remove(writing, resource, await rowOf(writing, resource, written.id));
    await work.note(writing, { resource: resource.name, recordId: written.id, action: 'delete', before: after });
    return { message };
  };
  return { fields: resource.fields, files: submitted.files, check: (db) => check(db), apply };
}

function updating(work: Work, resource: AnyResource, id: number): Means {
  const { submitted, check } = work.submission(resource);
  const apply = async (writing: Writing, placed: readonly PlacedFile[]): Promise<ChangeAnswer> => {
    const before = await contentOf(writing, resource, id);
    const given = await work.givenIds(writing, resource, false);
    const { version, images } = await updateRecord(
      work.services,
      writing,
      resource,
      id,
      submitted.values,
      placed,
      given,
    );
    await dropDeletedImages(writing, work.requested.again);
    const after = await contentOf(writing, resource, id);
    await work.note(writing, { resource: resource.name, recordId: id, action: 'update', before, after });
    const message = doneMessage(resource.label.message, 'Updated');
    return { message, version, ...(images === undefined ? {} : { images }) };
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
    check: async (db) => {
      if (await work.isForgotten(db, tableOf(resource), id)) return;
      work.assertVersion((await rowOf(db, resource, id)).version);
    },
    apply: async (writing) => {
      if (await work.isForgotten(writing, tableOf(resource), id)) {
        await noteRecordDeleted(writing, resource, id);
        return { message: doneMessage(resource.label.message, 'Deleted') };
      }
      const row = await rowOf(writing, resource, id);
      const before = await snapshotOf(writing, resource, row);
      await work.remove(writing, resource, row);
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
      if (await work.isForgotten(db, 'images', id)) return;
      const { resource, recordId } = await imageOf(db, id);
      work.assertVersion((await rowOf(db, resource, recordId)).version);
    },
    apply: async (writing) => {
      if (await work.isForgotten(writing, 'images', id)) {
        await noteImageDeleted(writing, id);
        return { message: 'Image Deleted Successfully' };
      }
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
