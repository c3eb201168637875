import type { Field } from '../../domain/fields.ts';
import { fieldOf, type Resource, textOf } from '../../domain/resource.ts';
import type { Row } from './list-rules.ts';
import { valueWords } from '../../fields/value-words.ts';
import { say } from '../../language/t.ts';

/** A fact as a list shows it. */
export interface Fact {
  readonly field: string;
  readonly definition: Field | undefined;
  readonly label: string;
  /** A bare number says nothing without its label. */
  readonly bare: boolean;
  /** An address: how it begins says nothing. */
  readonly address: boolean;
}

/** The facts that these rows tell, at most so many: a server that gives the columns only tells none. */
export function factsOf(resource: Resource, rows: readonly Row[], most: number): Fact[] {
  const [first] = rows;
  const told = resource.facts.filter((field) => first?.[field] !== undefined);
  return told.slice(0, most).map((name) => {
    const field = fieldOf(resource, name);
    return {
      field: name,
      definition: field,
      label: say(field?.label ?? name),
      bare: field?.kind === 'integer',
      address: isAddress(field),
    };
  });
}

/** The facts of one row in a line: "33 kVA · Open". */
export function factsLine(facts: readonly Fact[], row: Row): string {
  return facts
    .filter(({ field }) => textOf(row[field]) !== '')
    .map((fact) => (fact.bare ? `${fact.label} ${factText(fact, row)}` : factText(fact, row)))
    .join(' · ');
}

/** What a row says of a fact, in the person's words. */
export function factWords({ field, definition }: Fact, row: Row): string {
  return valueWords(definition, textOf(row[field]));
}

/** The same as it is shown: an address without how it begins. */
export function factText(fact: Fact, row: Row): string {
  const words = factWords(fact, row);
  return fact.address ? words.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '') : words;
}

function isAddress(field: Field | undefined): boolean {
  return field?.kind === 'text' && field.format === 'url';
}

/** The rows of a kind with several photos tell the first of them. */
export function tellsPhotos(rows: readonly Row[]): boolean {
  return rows.some((row) => 'photo' in row);
}
