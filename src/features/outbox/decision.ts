import type { Comparison } from '../../domain/outbox/conflict.ts';
import type { Values } from '../../domain/validate.ts';

/** The choice for one field. */
export type Choice = 'mine' | 'theirs' | { readonly edited: string };

export type Choices = Readonly<Record<string, Choice>>;

/** The initial choices: a field that only one side changed takes that side; the rest are open. */
export function firstChoices(comparison: Comparison): Choices {
  const settled = comparison.differences.filter(({ changedBy }) => changedBy !== 'both');
  return Object.fromEntries(settled.map(({ field, changedBy }) => [field, changedBy === 'me' ? 'mine' : 'theirs']));
}

/** Chooses one side for every field. A file that was not picked on this device exists only on the server and stays "theirs". */
export function chosenAll(
  comparison: Comparison,
  side: 'mine' | 'theirs',
  canBeMine: (field: string) => boolean,
): Choices {
  return Object.fromEntries(
    comparison.differences.map(({ field }) => [field, canBeMine(field) ? side : 'theirs'] as const),
  );
}

/** The fields without a choice. */
export function openFields(comparison: Comparison, choices: Choices): string[] {
  return comparison.differences.map(({ field }) => field).filter((field) => choices[field] === undefined);
}

/** The values to send. Fields without a difference keep the merged value; files are not included. */
export function decidedValues(comparison: Comparison, choices: Choices): Values {
  const values: Record<string, string> = { ...comparison.merged };
  for (const { field, mine, theirs } of comparison.differences) {
    if (!(field in values)) continue;
    const choice = choices[field] ?? 'mine';
    values[field] = choice === 'mine' ? mine : choice === 'theirs' ? theirs : choice.edited;
  }
  return values;
}
