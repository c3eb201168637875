import { isAttachment } from '../../src/domain/fields.ts';
import { type Resource, titleOf } from '../../src/domain/resource.ts';
import { RESOURCES } from '../../src/domain/resources/index.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import type { Values } from '../../src/domain/validate.ts';
import { noteChange, snapshotOf } from '../stores/sql/history.ts';
import type { Database, Writing } from '../stores/sql/tables.ts';
import { tableOf } from '../stores/sql/tables.ts';
import type { PlacedFile } from '../stores/sql/record-files.ts';
import { rowOf } from '../stores/sql/read.ts';
import { newVersion } from '../stores/sql/versions.ts';
import { columnsOf, createRecord } from '../stores/sql/write.ts';
import { prepareFolders, type Storage } from '../uploads/storage.ts';
import { allSized, type Sample, type Stored, storeSample } from './files.ts';
import { cataloguePdf } from './pdf.ts';
import { clientLogos, picturesOf } from './pictures.ts';
import { SAMPLE_SITE_META, sampleRows } from './rows.ts';

interface World {
  readonly db: Database;
  readonly storage: Storage;
}

const AUTHOR = { user: { id: 0, name: 'Sample data' } };
const HOUR = 60 * 60 * 1000;

/** Fills an empty database. `most` limits the records of each kind. Returns the number added per kind. */
export async function fill(world: World, most: number): Promise<Record<string, number>> {
  await prepareFolders(world.storage);
  const rows = await sampleRows();
  const counts: Record<string, number> = {};
  for (const resource of RESOURCES) {
    const some = (rows[resource.name] ?? []).slice(0, most);
    await fillKind(world, resource, some);
    counts[resource.label.many] = some.length;
  }
  await fillRest(world, rows['grid-tie-inverters'] ?? []);
  return counts;
}

/** True if there are records of any kind. */
export async function hasRecords(db: Database): Promise<boolean> {
  for (const resource of RESOURCES) {
    if ((await db.selectFrom(tableOf(resource)).select('id').executeTakeFirst()) !== undefined) return true;
  }
  return false;
}

async function fillKind({ db, storage }: World, resource: Resource, rows: readonly Values[]): Promise<void> {
  const pictures = await picturesOf(resource.name, rows.length * 2);
  const logos = resource.name === 'projects' ? await clientLogos(rows.length) : pictures;
  const stored: Stored = new Map();
  const files: PlacedFile[][] = [];
  for (const [index, values] of rows.entries()) {
    const samples = samplesFor(resource, values, index, pictures, logos);
    const at = new Date(storage.now()).toISOString();
    files.push(await Promise.all(samples.map((sample) => storeSample(storage, stored, sample, at))));
  }
  await allSized(stored);
  await storage.files.keep(files.flat().map((file) => file.stored.name));
  await db.transaction().execute(async (writing) => {
    for (const [index, values] of rows.entries()) {
      const now = () => storage.now() - (rows.length - index) * HOUR;
      await insert(writing, { now, randomBytes: storage.randomBytes }, resource, values, files[index] ?? []);
    }
  });
}

async function insert(
  writing: Writing,
  marks: Parameters<typeof createRecord>[0],
  resource: Resource,
  values: Values,
  placed: readonly PlacedFile[],
): Promise<void> {
  const { id } = await createRecord(marks, writing, resource, values, placed);
  const after = await snapshotOf(writing, resource, await rowOf(writing, resource, id));
  const at = new Date(marks.now()).toISOString();
  const what = { resource: resource.name, recordId: id, action: 'create', after } as const;
  await noteChange(writing, { at, by: AUTHOR, ...what });
}

/** A separate catalogue, and one to three of the kind's pictures. */
function samplesFor(
  resource: Resource,
  values: Values,
  index: number,
  pictures: readonly Buffer[],
  logos: readonly Buffer[],
): Sample[] {
  const slug = titleOf(resource, values)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60);
  const photo = (bytes: Buffer | undefined, field: string, name: string): Sample[] =>
    bytes === undefined ? [] : [{ field, bytes, type: 'image/jpeg', originalName: `${name}.jpg` }];
  return resource.fields.filter(isAttachment).flatMap((field): Sample[] => {
    if (field.kind === 'file') {
      const bytes = cataloguePdf(pageFor(resource, values));
      return [{ field: field.name, bytes, type: 'application/pdf', originalName: `${slug}.pdf` }];
    }
    if (field.kind === 'image') return photo(logos[index % logos.length], field.name, slug);
    const places = Array.from({ length: 1 + (index % 3) }, (_, place) => (index * 5 + place * 7) % pictures.length);
    return places.flatMap((place, number) => photo(pictures[place], field.name, `${slug}-${number + 1}`));
  });
}

function pageFor(resource: Resource, values: Values) {
  const facts = resource.fields
    .filter((field) => !isAttachment(field))
    .map((field) => [field.label, values[field.name] ?? ''] as const);
  return { heading: titleOf(resource, values), under: resource.label.one, facts, colour: [0.06, 0.3, 0.36] as const };
}

/** Adds the brands of the real inverters, and the site settings. */
async function fillRest({ db, storage }: World, inverters: readonly Values[]): Promise<void> {
  const brands = inverters.map(({ type = '', brand = '' }) => ({ lookup: 'gti-brands', parent: type, value: brand }));
  for (let from = 0; from < brands.length; from += 500) {
    await db
      .insertInto('lookups')
      .values(brands.slice(from, from + 500))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const columns = columnsOf(siteMeta.fields, SAMPLE_SITE_META);
  const version = newVersion(storage);
  await db
    .updateTable('site_meta')
    .set({ ...columns, version })
    .execute();
}
