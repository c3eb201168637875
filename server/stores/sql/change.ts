import type { Field } from '../../../src/domain/fields.ts';
import type { Database, Writing } from './tables.ts';
import type { Caller, ChangeAnswer, IdempotencyKey } from '../store.ts';
import type { PlacedFile } from './record-files.ts';
import type { ReceivedForm } from '../../uploads/form.ts';
import type { ReceivedFile } from '../../uploads/received.ts';

/** One change and how it is made. */
export interface Change {
  readonly caller: Caller;
  readonly key?: IdempotencyKey;
  readonly confirm?: () => Promise<void>;
  /** Everything the request brought. */
  readonly form: ReceivedForm;
  /** Hashes of files that are not there. */
  readonly missing: readonly string[];
  /** The fields that `files` belong to. */
  readonly fields: readonly Field[];
  /** The files to be kept. */
  readonly files: readonly ReceivedFile[];
  /** True for what makes room: it goes on when the disk is full. */
  readonly makesRoom?: boolean;
  /**
   * Throws a Refusal when the change cannot be made. Asked before the files are worked on, which may take seconds, and
   * again inside the transaction, when nothing can come between.
   */
  readonly check: (db: Database) => Promise<void>;
  /** Makes the change. */
  readonly apply: (writing: Writing, placed: readonly PlacedFile[]) => Promise<ChangeAnswer>;
}
