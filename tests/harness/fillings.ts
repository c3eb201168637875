import type { Field } from '../../src/domain/fields.ts';
import { jpeg, pdf, png, type SampleFile } from './sample-files.ts';

/** The value for a field: a text, the n-th option of a list from the server, or files. */
export type FieldFilling = string | { readonly option: number } | readonly SampleFile[];
/** The values for a form, by field name. */
export type Filling = Readonly<Record<string, FieldFilling>>;

/** The texts of a generator, with all required fields. */
export const GENERATOR_TEXTS: Filling = {
  brand: 'Cummins',
  capacity: '100 kVA',
  generator_model: 'C100',
  engine_model: '6BT',
  alternator_model: 'UCI',
  origin: 'India',
  series: { option: 1 },
};

/**
 * Returns a suitable value for every field, different for every seed, with characters and line breaks that are hard to
 * encode.
 */
export async function fillingOf(fields: readonly Field[], seed: number): Promise<Filling> {
  const entries = fields.map(async (field) => [field.name, await fillingOfField(field, seed)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function fillingOfField(field: Field, seed: number): Promise<FieldFilling> {
  switch (field.kind) {
    case 'text':
      return textOf(field.format, field.label, seed);
    case 'longText':
      return `Line one of ${seed}\nline two: “Ünïcode” & <b>markup</b>, 100 %`;
    case 'integer':
      return String(seed);
    case 'choice':
      return field.options[seed % field.options.length] ?? '';
    case 'lookup':
      return { option: 1 + (seed % 2) };
    case 'file':
      return [pdf(`sheet ${seed}.pdf`, seed)];
    case 'image':
      return [await jpeg(`picture ${seed}.jpg`, seed)];
    case 'images':
      return [
        png(`photo ${seed} a.png`, seed),
        await jpeg(`photo ${seed} b.jpg`, seed),
        png(`photo ${seed} c.png`, -seed),
      ];
    default:
      return field satisfies never;
  }
}

function textOf(format: 'url' | 'email' | 'tel' | undefined, label: string, seed: number): string {
  if (format === 'url') return `https://example.com/${seed}?a=b&c=d`;
  if (format === 'email') return `person${seed}@example.com`;
  if (format === 'tel') return `+88 01700-${String(seed).padStart(6, '0')}`;
  return `${label} ${seed} – “Süd” & Söhne`;
}
