import type { Field } from '../../domain/fields.ts';
import { t } from '../../language/t.ts';

/** A section of a form. A section with a single field needs no heading beside the field's label. */
export interface Section {
  readonly heading: string;
  readonly fields: readonly Field[];
}

type Part = 'details' | 'document' | 'photos';

/** The section of each kind of field. */
const PARTS: { readonly [K in Field['kind']]: Part } = {
  text: 'details',
  longText: 'details',
  integer: 'details',
  choice: 'details',
  lookup: 'details',
  file: 'document',
  image: 'photos',
  images: 'photos',
};

/** The sections of a form in order. */
export function sectionsOf(fields: readonly Field[]): Section[] {
  const parts: readonly (readonly [Part, string])[] = [
    ['details', t('Details')],
    ['document', t('Catalog')],
    ['photos', t('Photos')],
  ];
  return parts
    .map(([part, heading]) => ({ heading, fields: fields.filter((field) => PARTS[field.kind] === part) }))
    .filter((section) => section.fields.length > 0);
}
