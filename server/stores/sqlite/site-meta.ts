import { siteMeta } from '../../../src/domain/resources/site-meta.ts';
import type { Values } from '../../../src/domain/validate.ts';
import { timestamp } from '../../services.ts';
import type { Snapshot } from './history.ts';
import type { Database, RecordRow, Writing } from './tables.ts';
import { type Marks, newVersion } from './versions.ts';
import { columnsOf } from './write.ts';

/** The one row of the site-wide settings; the first migration made it. */
export async function readSiteMeta(db: Database): Promise<RecordRow> {
  return (await db
    .selectFrom('site_meta')
    .selectAll()
    .where('id', '=', siteMeta.only)
    .executeTakeFirstOrThrow()) as RecordRow;
}

/** Replaces the settings. Tells the new version, and what they were before and after. */
export async function writeSiteMeta(
  marks: Marks,
  writing: Writing,
  values: Values,
): Promise<{ version: string; before: Snapshot; after: Snapshot }> {
  const before = contentOf(await readSiteMeta(writing));
  const version = newVersion(marks);
  await writing
    .updateTable('site_meta')
    .set({ ...columnsOf(siteMeta.fields, values), version, updated_at: timestamp(marks) })
    .where('id', '=', siteMeta.only)
    .execute();
  return { version, before, after: contentOf(await readSiteMeta(writing)) };
}

function contentOf(row: RecordRow): Snapshot {
  return Object.fromEntries(siteMeta.fields.map((field) => [field.name, row[field.name]]));
}
