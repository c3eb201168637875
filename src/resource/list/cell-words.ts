import type { Field } from '../../domain/fields.ts';
import { valueWords } from '../../fields/value-words.ts';

/** A value as lists show and sort it: a web address without its scheme, a choice in the user's language. */
export function cellWords(field: Field | undefined, text: string): string {
  const words = valueWords(field, text);
  return isAddress(field) ? words.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '') : words;
}

/** True for a field with web addresses. */
export function isAddress(field: Field | undefined): boolean {
  return field?.kind === 'text' && field.format === 'url';
}
