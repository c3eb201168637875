import type { Field } from '../domain/fields.ts';
import { shownValue } from '../domain/shown.ts';
import { sayChoice } from '../language/t.ts';

/** Returns the display text of a value. Choices are translated; other text is unchanged. The stored value stays the same. */
export function valueWords(field: Field | undefined, text: string): string {
  return field?.kind === 'choice' || field?.kind === 'lookup' ? choiceWords(text) : text;
}

/** Returns the display text of a choice: translated, or else as people spell it. */
export function choiceWords(stored: string): string {
  const said = sayChoice(stored);
  return said === stored ? shownValue(stored) : said;
}
