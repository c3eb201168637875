import { pdf, png, type SampleFile } from '../../harness/sample-files.ts';
import type { PickedFile } from '../../../src/offline/storage/files.ts';
import type { ResourceName } from '../../../src/domain/resource.ts';
import type { Values } from '../../../src/domain/validate.ts';
import type { Random } from '../world/random.ts';

/** Makes records of a resource recognizable: every written value is unique. */
export interface Subject {
  readonly resource: ResourceName;
  /** The field with the record's mark. Never edited. */
  readonly identity: string;
  /** The editable fields, and how each contains a mark. */
  readonly edited: Readonly<Record<string, (mark: number) => string>>;
  /** Other required values of a record. */
  readonly fixed: Values;
  /** A value that every server refuses, for a field that is repaired later. */
  readonly invalid?: readonly [field: string, value: string];
  readonly single?: 'image' | 'catalog';
  readonly images: boolean;
}

const text = (mark: number) => `edit ${mark}`;
const link = (mark: number) => `https://edit-${mark}.example`;

const CATALOG_AND_IMAGES = { single: 'catalog', images: true } as const;
const ONE_IMAGE = { single: 'image', images: false } as const;

/** All simulated resources. A world has some of them. */
const EVERY_SUBJECT: readonly Subject[] = [
  {
    resource: 'partners',
    identity: 'name',
    edited: { link },
    fixed: {},
    invalid: ['link', 'no address'],
    ...ONE_IMAGE,
  },
  {
    resource: 'sliders',
    identity: 'text',
    edited: { serial: String },
    fixed: {},
    invalid: ['serial', 'first'],
    ...ONE_IMAGE,
  },
  {
    resource: 'generators',
    identity: 'brand',
    edited: { capacity: text, engine_model: text, origin: text },
    fixed: { generator_model: 'G', alternator_model: 'A', series: 'Perkins Series' },
    invalid: ['capacity', ''],
    ...CATALOG_AND_IMAGES,
  },
  {
    resource: 'street-lights',
    identity: 'brand',
    edited: { capacity: text, model: text },
    fixed: { origin: 'Norway' },
    ...CATALOG_AND_IMAGES,
  },
  {
    resource: 'projects',
    identity: 'client_name',
    edited: { project_name: text, description: text },
    fixed: { type: 'Generator', capacity: '' },
    single: 'image',
    images: true,
  },
  {
    resource: 'solar-panels',
    identity: 'brand',
    edited: { capacity: text, model: text },
    fixed: { type: 'Monocrystalline' },
    ...CATALOG_AND_IMAGES,
  },
  {
    resource: 'grid-tie-inverters',
    identity: 'model',
    edited: { capacity: text },
    fixed: { type: 'Single Phase', brand: 'SMA' },
    ...CATALOG_AND_IMAGES,
  },
  {
    resource: 'ups',
    identity: 'brand',
    edited: { capacity: text, model: text, origin: text },
    fixed: { type: 'Line Interactive' },
    ...CATALOG_AND_IMAGES,
  },
  {
    resource: 'certifications',
    identity: 'name',
    edited: {},
    fixed: { category: 'Generators' },
    ...ONE_IMAGE,
  },
  { resource: 'about-items', identity: 'name', edited: {}, fixed: {}, ...ONE_IMAGE },
];

/** The site-wide settings are a record too, one that always exists. */
export const SETTINGS_EDITED: Readonly<Record<string, (mark: number) => string>> = {
  title: text,
  address: text,
  fb: link,
};

/** The resources of a world whose schedule names none. */
const USUAL: readonly ResourceName[] = ['partners', 'sliders', 'generators', 'street-lights', 'projects'];

/** The number of resources per world. Each additional one has to be created and read. */
const KINDS_IN_A_WORLD = 5;

/** Draws from all resources, at least one of them with images. */
export function drawKinds(random: Random): ResourceName[] {
  const left = EVERY_SUBJECT.filter(({ resource }) => resource !== 'generators').map(({ resource }) => resource);
  const drawn = Array.from(
    { length: KINDS_IN_A_WORLD - 1 },
    () => left.splice(random.below(left.length), 1)[0] ?? 'ups',
  );
  return ['generators', ...drawn];
}

/** The subjects of these resources. */
export function subjectsOf(kinds: readonly ResourceName[] = USUAL): Subject[] {
  return EVERY_SUBJECT.filter(({ resource }) => kinds.includes(resource));
}

export function subjectOf(resource: ResourceName): Subject {
  const subject = EVERY_SUBJECT.find((one) => one.resource === resource);
  if (subject === undefined) throw new Error(`No ${resource} are simulated.`);
  return subject;
}

/** The values of a new record with this mark. */
export function newValues(subject: Subject, mark: number): Values {
  const edited = Object.entries(subject.edited).map(([field, write]) => [field, write(mark)]);
  return { ...subject.fixed, [subject.identity]: `record ${mark}`, ...Object.fromEntries(edited) };
}

/** One file in this many is large: it is stored as a blob and takes longer to upload. */
const LARGE_EVERY = 29;
const LARGE = 300_000;

/** A unique file for a field. Many have the same name, like photos from a tablet. */
export function sampleFor(field: string, mark: number): SampleFile {
  const large = mark % LARGE_EVERY === 0 ? LARGE : undefined;
  const name = mark % 3 === 0 ? 'image' : `photo ${mark}`;
  return field === 'catalog'
    ? pdf(`catalogue ${mark}.pdf`, mark, large ?? 560)
    : png(`${name}.png`, mark, large ?? 200);
}

/** The large file that everyone picks. */
export function sharedSample(field: string): SampleFile {
  return sampleFor(field, LARGE_EVERY);
}

/** The file as picked in a form. */
export function picked(field: string, sample: SampleFile): PickedFile {
  const { name, mimeType: type } = sample;
  return { field, blob: new Blob([new Uint8Array(sample.buffer)], { type }), name, type };
}

/** The fields that an edit adds files to: sometimes a new single file, an image or two. */
export function fieldsOfNewFiles(subject: Subject, random: Random): string[] {
  const single = subject.single !== undefined && random.chance(0.25) ? [subject.single] : [];
  const images =
    subject.images && random.chance(0.4) ? Array.from({ length: random.between(1, 2) }, () => 'images') : [];
  return [...single, ...images];
}
