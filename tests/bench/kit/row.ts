import type { Figure } from './figure.ts';
import type { Stage } from './stage.ts';

/** One line of the table, or a few that belong together. */
export interface Row {
  /** The name for `--only`. */
  readonly name: string;
  measure(stage: Stage): Promise<readonly Figure[]>;
}
