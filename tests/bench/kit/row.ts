import type { Figure } from './figure.ts';
import type { Stage } from './stage.ts';

/** One line, or a few that belong together, of the table. */
export interface Row {
  /** What `--only` asks for. */
  readonly name: string;
  measure(stage: Stage): Promise<readonly Figure[]>;
}
