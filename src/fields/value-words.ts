import type { Field } from '../domain/fields.ts';
import { sayChoice } from '../language/t.ts';

/** How a field's value is shown: a choice by its name in the person's language, any other text as it is. What is stored stays the same. */
export function valueWords(field: Field | undefined, text: string): string {
  return field?.kind === 'choice' || field?.kind === 'lookup' ? sayChoice(text) : text;
}
