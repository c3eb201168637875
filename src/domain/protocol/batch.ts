import type { Operation } from '../outbox/vocabulary.ts';
import type { AnyResourceName } from '../resource.ts';
import type { Again } from './kept.ts';
import type { NamedFile } from './staging.ts';

/** Several changes in one request (docs/protocol.md, "Changes travel together"). */
export const MOST_BATCHED = 50;
/** Largest request, in bytes. */
export const MOST_BATCH_BYTES = 1024 * 1024;

/** The form field that holds the changes, if small files are included. */
export const BATCH_TEXT = 'changes';
/** The media type of the answer: a line of JSON per change. */
export const BATCH_ANSWER_TYPE = 'application/x-ndjson';

/** The code of a 424: an earlier change of the record failed, so this one was not tried. */
export const EARLIER_FAILED = 'earlier-change-failed';
/** The code of a 424: the change's record or its version is no longer known. The change was not tried. */
export const RECORD_UNKNOWN = 'record-unknown';

/** One change of a batch. */
export interface BatchedChange {
  readonly key: string;
  readonly op: Operation;
  readonly resource: AnyResourceName;
  /** The server id, or the local id of a record that this batch creates. Absent for a kind with a single record. */
  readonly id?: string;
  /** For `delete-image`. */
  readonly imageId?: number;
  /** The base version of the change. */
  readonly version?: string;
  /** Instead of `version`: the key of an earlier change of this record in this batch, whose version is the base. */
  readonly after?: string;
  /** Set if the change is sent again (`kept.ts`). */
  readonly again?: Again;
  /** The texts by their names in requests. */
  readonly fields?: Readonly<Record<string, string>>;
  /** All files in order, including those sent with the batch. */
  readonly files?: readonly NamedFile[];
}

/** A line of the answer. */
export interface BatchAnswer {
  readonly key: string;
  /** The status of the single call, or 424 if the change was not tried. */
  readonly status: number;
  readonly body: object;
  /** Seconds. */
  readonly retryAfter?: number;
  readonly replayed?: true;
}

/** The answer to `GET /api/changes?keys=`. Per key: 200 with the answer, 404 if nothing was executed, 409 if in flight (with a body if unsettled). */
export interface AnswersByKey {
  readonly answers: Readonly<Record<string, { readonly status: number; readonly body?: object }>>;
}
