import type { FastifyRequest } from 'fastify';
import type { Field } from '../../../src/domain/fields.ts';
import type { Database, Writing } from './tables.ts';
import type { PlacedFile } from './record-files.ts';
import type { ReceivedForm } from '../../uploads/form.ts';
import type { ReceivedFile } from '../../uploads/received.ts';

/** What a change that took effect answers, always with 200. */
export interface ChangeAnswer {
  readonly message: string;
  readonly id?: number;
  readonly version?: string;
}

/** One change, as a route describes it. */
export interface Change {
  readonly request: FastifyRequest;
  /** Everything the request brought. */
  readonly form: ReceivedForm;
  /** The fields that `files` belong to. */
  readonly fields: readonly Field[];
  /** The files to be kept. */
  readonly files: readonly ReceivedFile[];
  /**
   * Throws a Refusal when the change cannot be made. Asked before the files are worked on, which may take seconds, and
   * again inside the transaction, when nothing can come between.
   */
  readonly check: (db: Database) => Promise<void>;
  /** Makes the change. */
  readonly apply: (writing: Writing, placed: readonly PlacedFile[]) => Promise<ChangeAnswer>;
}
