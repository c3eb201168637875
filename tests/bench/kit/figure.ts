import { median } from './statistics.ts';

/** The unit of a figure and its format. Times in milliseconds or seconds, sizes in kilobytes of 1,000, heap in megabytes. */
export type Unit = 'ms' | 's' | 'kB' | 'MB' | '/s' | 'nodes' | 'requests' | 'points' | '×';

/** The goal: a bound on the figure itself, or on its ratio to the reference. */
export interface Goal {
  readonly of: 'value' | 'ratio';
  readonly is: 'at most' | 'at least';
  readonly bound: number;
}

/** One line of the table. */
export interface Figure {
  readonly what: string;
  readonly unit: Unit;
  readonly ours: readonly number[];
  /** The reference, measured alternately with ours in the same run. */
  readonly against?: { readonly name: string; readonly sample: readonly number[] };
  readonly goal?: Goal;
}

export const atMost = (bound: number): Goal => ({ of: 'value', is: 'at most', bound });
export const atLeast = (bound: number): Goal => ({ of: 'value', is: 'at least', bound });
export const atMostTimes = (bound: number): Goal => ({ of: 'ratio', is: 'at most', bound });
export const atLeastTimes = (bound: number): Goal => ({ of: 'ratio', is: 'at least', bound });

/** Median of ours over median of the reference. */
export function ratioOf(figure: Figure): number | undefined {
  return figure.against && median(figure.ours) / median(figure.against.sample);
}

/** Whether the goal is met. Undefined if there is none. */
export function isMet(figure: Figure): boolean | undefined {
  if (!figure.goal) return undefined;
  const { of, is, bound } = figure.goal;
  const value = of === 'value' ? median(figure.ours) : (ratioOf(figure) ?? Number.NaN);
  return is === 'at most' ? value <= bound : value >= bound;
}
