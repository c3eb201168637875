import type { Field } from '../domain/fields.ts';
import { sayChoice } from '../language/t.ts';

/** Returns the display text of a value. Choices are translated; other text is unchanged. The stored value stays the same. */
export function valueWords(field: Field | undefined, text: string): string {
  return field?.kind === 'choice' || field?.kind === 'lookup' ? sayChoice(text) : text;
}
