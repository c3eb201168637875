import { pdf, png, type SampleFile } from '../../harness/sample-files.ts';
import type { PickedFile } from '../../../src/offline/storage/files.ts';
import type { ResourceName } from '../../../src/domain/resource.ts';
import type { Values } from '../../../src/domain/validate.ts';
import type { Random } from '../world/random.ts';

/** How records of one kind are made recognizable: every value that is written anywhere is unlike all others. */
export interface Subject {
  readonly resource: ResourceName;
  /** Holds the record's mark; never edited. */
  readonly identity: string;
  /** Fields that are edited, and how a mark is written into them. */
  readonly edited: Readonly<Record<string, (mark: number) => string>>;
  /** What else a record has to have. */
  readonly fixed: Values;
  /** A value that every server refuses, for a field that is mended later. */
  readonly invalid?: readonly [field: string, value: string];
  readonly single?: 'image' | 'catalog';
  readonly images: boolean;
}

const text = (mark: number) => `edit ${mark}`;
const link = (mark: number) => `https://edit-${mark}.example`;

export const SUBJECTS: readonly Subject[] = [
  {
    resource: 'partners',
    identity: 'name',
    edited: { link },
    fixed: {},
    invalid: ['link', 'no address'],
    single: 'image',
    images: false,
  },
  {
    resource: 'sliders',
    identity: 'text',
    edited: { serial: String },
    fixed: {},
    invalid: ['serial', 'first'],
    single: 'image',
    images: false,
  },
  {
    resource: 'generators',
    identity: 'brand',
    edited: { capacity: text, engine_model: text, origin: text },
    fixed: { generator_model: 'G', alternator_model: 'A', series: 'Perkins Series' },
    invalid: ['capacity', ''],
    single: 'catalog',
    images: true,
  },
  {
    resource: 'street-lights',
    identity: 'brand',
    edited: { capacity: text, model: text },
    fixed: { origin: 'Norway' },
    single: 'catalog',
    images: true,
  },
  {
    resource: 'projects',
    identity: 'client_name',
    edited: { project_name: text, description: text },
    fixed: { type: 'Generator', capacity: '' },
    single: 'image',
    images: true,
  },
];

/** The site-wide settings are a record too: one that is always there. */
export const SETTINGS_EDITED: Readonly<Record<string, (mark: number) => string>> = {
  title: text,
  address: text,
  fb: link,
};

export function subjectOf(resource: ResourceName): Subject {
  const subject = SUBJECTS.find((one) => one.resource === resource);
  if (subject === undefined) throw new Error(`No ${resource} are simulated.`);
  return subject;
}

/** The values of a new record under a mark. */
export function newValues(subject: Subject, mark: number): Values {
  const edited = Object.entries(subject.edited).map(([field, write]) => [field, write(mark)]);
  return { ...subject.fixed, [subject.identity]: `record ${mark}`, ...Object.fromEntries(edited) };
}

/** A file unlike all others, small as nothing real is, for a field. */
export function sampleFor(field: string, mark: number): SampleFile {
  return field === 'catalog' ? pdf(`catalogue ${mark}.pdf`, mark, 560) : png(`photo ${mark}.png`, mark, 200);
}

/** The file as picked into a form. */
export function picked(field: string, sample: SampleFile): PickedFile {
  const { name, mimeType: type } = sample;
  return { field, blob: new Blob([new Uint8Array(sample.buffer)], { type }), name, type };
}

/** Which files an edit brings: a new single one now and then, an image or two. */
export function fieldsOfNewFiles(subject: Subject, random: Random): string[] {
  const single = subject.single !== undefined && random.chance(0.25) ? [subject.single] : [];
  const images =
    subject.images && random.chance(0.4) ? Array.from({ length: random.between(1, 2) }, () => 'images') : [];
  return [...single, ...images];
}
