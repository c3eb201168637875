import type { Comparison } from '../../domain/outbox/conflict.ts';
import type { Values } from '../../domain/validate.ts';

/** What was chosen for one field. */
export type Choice = 'mine' | 'theirs' | { readonly edited: string };

export type Choices = Readonly<Record<string, Choice>>;

/** The choices a comparison begins with: what only one side changed is taken from that side, the rest is open. */
export function firstChoices(comparison: Comparison): Choices {
  const settled = comparison.differences.filter(({ changedBy }) => changedBy !== 'both');
  return Object.fromEntries(settled.map(({ field, changedBy }) => [field, changedBy === 'me' ? 'mine' : 'theirs']));
}

/** One side for everything, as far as it can be sent: a stored file that was not picked here is only on the server. */
export function chosenAll(
  comparison: Comparison,
  side: 'mine' | 'theirs',
  canBeMine: (field: string) => boolean,
): Choices {
  return Object.fromEntries(
    comparison.differences.map(({ field }) => [field, canBeMine(field) ? side : 'theirs'] as const),
  );
}

/** The fields for which nothing has been chosen yet. */
export function openFields(comparison: Comparison, choices: Choices): string[] {
  return comparison.differences.map(({ field }) => field).filter((field) => choices[field] === undefined);
}

/** The values to send. Fields without a difference stay as the comparison merged them; files are not among them. */
export function decidedValues(comparison: Comparison, choices: Choices): Values {
  const values: Record<string, string> = { ...comparison.merged };
  for (const { field, mine, theirs } of comparison.differences) {
    if (!(field in values)) continue;
    const choice = choices[field] ?? 'mine';
    values[field] = choice === 'mine' ? mine : choice === 'theirs' ? theirs : choice.edited;
  }
  return values;
}
