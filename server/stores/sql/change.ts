import type { Field } from '../../../src/domain/fields.ts';
import type { Database, Writing } from './tables.ts';
import type { Caller, ChangeAnswer, IdempotencyKey } from '../store.ts';
import type { PlacedFile } from './record-files.ts';
import type { ReceivedFile } from '../../uploads/received.ts';

/** A change, and how to apply it. */
export interface Change {
  readonly caller: Caller;
  readonly key?: IdempotencyKey;
  readonly confirm?: () => Promise<void>;
  /** Hashes of missing files. */
  readonly missing: readonly string[];
  /** The fields of `files`. */
  readonly fields: readonly Field[];
  /** The files to keep. */
  readonly files: readonly ReceivedFile[];
  /** True if the change frees space: it may then use the disk reserve. */
  readonly makesRoom?: boolean;
  /**
   * Throws a Refusal if the change is not possible. Called before the files are processed, which may take seconds, and again
   * inside the transaction, when nothing can interfere.
   */
  readonly check: (db: Database) => Promise<void>;
  /** Applies the change. */
  readonly apply: (writing: Writing, placed: readonly PlacedFile[]) => Promise<ChangeAnswer>;
}
