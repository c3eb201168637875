import type { Again } from '../../../src/domain/protocol/kept.ts';
import type { AnyResource, Resource } from '../../../src/domain/resource.ts';
import type { SqlServices } from './services.ts';
import { dropFiles } from './record-files.ts';
import { type Database, tableOf, type Writing } from './tables.ts';
import type { GivenIds } from './write.ts';

/**
 * Changes that devices send again after this database has forgotten them. What they create gets its former ids, so that other
 * devices' changes, and links, are about it again. What another device has deleted again meanwhile does not come back.
 */

/** The table of images, as a subject. */
const IMAGES = 'images';

/** A former id is this much above the highest one at most. A device could otherwise use up the numbers. */
const MOST_AHEAD = 10_000_000;

/** The ids to give to a record, if `again` names one, and to its images: their former ones where they are free. */
export async function givenIds(
  services: Pick<SqlServices, 'countId'>,
  writing: Writing,
  resource: AnyResource,
  { id, images = [] }: Again,
): Promise<GivenIds> {
  const record = id !== undefined && (await isFree(writing, resource, id)) ? id : undefined;
  if (record !== undefined) await services.countId(writing, tableOf(resource), record);
  const given: (number | undefined)[] = [];
  for (const image of images) {
    const isUsed = given.includes(image) || !(await isImageFree(writing, image));
    given.push(isUsed ? undefined : image);
    if (!isUsed) await services.countId(writing, IMAGES, image);
  }
  return { record, images: given };
}

/** True if this history has never given the id to a record of the kind. */
async function isFree(writing: Writing, resource: AnyResource, id: number): Promise<boolean> {
  const highest = await writing
    .selectFrom(tableOf(resource))
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst();
  if (id > (highest?.id ?? 0) + MOST_AHEAD) return false;
  const used = writing
    .selectFrom('feed')
    .select('seq')
    .where('subject', '=', resource.name)
    .where('record_id', '=', id);
  return (await used.executeTakeFirst()) === undefined;
}

async function isImageFree(writing: Writing, id: number): Promise<boolean> {
  const highest = await writing
    .selectFrom(IMAGES)
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst();
  if (id > (highest?.id ?? 0) + MOST_AHEAD) return false;
  const used = writing.selectFrom(IMAGES).select('id').where('id', '=', id);
  return (await used.executeTakeFirst()) === undefined;
}

/** Notes that a device has deleted a record again which this history does not know. */
export function noteRecordDeleted(writing: Writing, resource: Resource, id: number): Promise<void> {
  return note(writing, resource.name, id);
}

/** The same for an image. */
export function noteImageDeleted(writing: Writing, id: number): Promise<void> {
  return note(writing, IMAGES, id);
}

async function note(writing: Writing, subject: string, id: number): Promise<void> {
  await writing
    .insertInto('deleted_again')
    .values({ subject, record_id: id })
    .onConflict((same) => same.doNothing())
    .execute();
}

/** True if a device has deleted this record again. */
export async function isRecordDeleted(
  writing: Writing,
  resource: Resource,
  again: Again | undefined,
): Promise<boolean> {
  if (again?.id === undefined) return false;
  return (await deletedAmong(writing, resource.name, [again.id])).length > 0;
}

/** Removes those of the added images that a device has deleted again. */
export async function dropDeletedImages(writing: Writing, again: Again | undefined): Promise<void> {
  const gone = await deletedAmong(writing, IMAGES, again?.images ?? []);
  if (gone.length === 0) return;
  const rows = await writing.deleteFrom(IMAGES).where('id', 'in', gone).returning('image').execute();
  await dropFiles(
    writing,
    rows.map(({ image }) => image),
  );
}

async function deletedAmong(db: Database, subject: string, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('deleted_again')
    .select('record_id')
    .where('subject', '=', subject)
    .where('record_id', 'in', ids)
    .execute();
  return rows.map(({ record_id }) => record_id);
}

/** The name of the device of a session. */
export async function deviceOf(db: Database, tokenHash: string): Promise<string> {
  const session = db.selectFrom('tokens').select('device').where('hash', '=', tokenHash);
  return (await session.executeTakeFirst())?.device ?? '';
}
