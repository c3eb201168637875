import type { Field } from '../../domain/fields.ts';
import { fieldOf, type Resource, textOf } from '../../domain/resource.ts';
import { cellWords, isAddress } from './cell-words.ts';
import type { Row } from './list-rules.ts';
import { valueWords } from '../../fields/value-words.ts';
import { say } from '../../language/t.ts';

/** A fact as a list displays it. */
export interface Fact {
  readonly field: string;
  readonly definition: Field | undefined;
  readonly label: string;
  /** True for a plain number, which needs its label. */
  readonly bare: boolean;
  /** True for a web address, shown without its scheme. */
  readonly address: boolean;
}

/** The facts available in these rows, at most `most`. A server that returns only the columns provides none. */
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

/** The facts of a row in one line: "33 kVA · Open". */
export function factsLine(facts: readonly Fact[], row: Row): string {
  return facts
    .filter(({ field }) => textOf(row[field]) !== '')
    .map((fact) => (fact.bare ? `${fact.label} ${factText(fact, row)}` : factText(fact, row)))
    .join(' · ');
}

/** A row's value for a fact, in the user's language. */
export function factWords({ field, definition }: Fact, row: Row): string {
  return valueWords(definition, textOf(row[field]));
}

/** The same value as displayed: a web address without its scheme. */
export function factText({ field, definition }: Fact, row: Row): string {
  return cellWords(definition, textOf(row[field]));
}

/** True if the rows carry photos. */
export function tellsPhotos(rows: readonly Row[]): boolean {
  return rows.some((row) => 'photo' in row);
}
