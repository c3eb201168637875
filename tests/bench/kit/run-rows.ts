import { only } from './arguments.ts';
import type { Figure } from './figure.ts';
import { noiseText } from './noise.ts';
import { tableOf } from './table.ts';

/** Measures the rows named by `--only`, or all, and prints their table. A failure is reported and does not stop the rest. */
export async function runRows<Row extends { readonly name: string }>(
  rows: readonly Row[],
  measure: (row: Row) => Promise<readonly Figure[]>,
): Promise<void> {
  const figures: Figure[] = [];
  for (const row of wanted(rows)) {
    const began = performance.now();
    try {
      figures.push(...(await measure(row)));
    } catch (failure) {
      console.error(`${row.name} could not be measured:`, failure);
      process.exitCode = 1;
    }
    console.error(`${row.name}: ${((performance.now() - began) / 1000).toFixed(0)} s`);
  }
  console.log(`\n${tableOf(figures)}\n\n${noiseText()}`);
}

function wanted<Row extends { readonly name: string }>(rows: readonly Row[]): readonly Row[] {
  const names = only;
  if (names === undefined) return rows;
  const unknown = names.filter((name) => !rows.some((row) => row.name === name));
  if (unknown.length > 0)
    throw new Error(`${unknown.join(', ')}: choose from ${rows.map((row) => row.name).join(', ')}.`);
  return rows.filter(({ name }) => names.includes(name));
}
