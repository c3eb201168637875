import type { Operation } from '../outbox/vocabulary.ts';
import type { AnyResourceName } from '../resource.ts';
import type { NamedFile } from './staging.ts';

/** Several changes in one request (docs/protocol.md, "Changes travel together"). */
export const MOST_BATCHED = 50;
/** Bytes of a whole request. */
export const MOST_BATCH_BYTES = 1024 * 1024;

/** The text of a form that holds the changes, where small files come along. */
export const BATCH_TEXT = 'changes';
/** The type of the answer: a line of JSON for each change. */
export const BATCH_ANSWER_TYPE = 'application/x-ndjson';

/** The code of a 424: an earlier change of the record has failed, so this one was not tried. */
export const EARLIER_FAILED = 'earlier-change-failed';
/** The code of a 424: what the change is about, or its version, is not known any more. It was not tried. */
export const RECORD_UNKNOWN = 'record-unknown';

/** One change of a batch. */
export interface BatchedChange {
  readonly key: string;
  readonly op: Operation;
  readonly resource: AnyResourceName;
  /** The server's id, or the local one of a record that this batch creates. Absent where the kind has one record. */
  readonly id?: string;
  /** Of `delete-image`. */
  readonly imageId?: number;
  /** The version that the change was made on. */
  readonly version?: string;
  /** In its place: the key of an earlier change of this record in this batch, whose version counts. */
  readonly after?: string;
  /** The texts by their names on the wire. */
  readonly fields?: Readonly<Record<string, string>>;
  /** All files in order, those that come along with the batch too. */
  readonly files?: readonly NamedFile[];
}

/** A line of the answer. */
export interface BatchAnswer {
  readonly key: string;
  /** That of the single call, or 424 for a change that was not tried. */
  readonly status: number;
  readonly body: object;
  /** Seconds. */
  readonly retryAfter?: number;
  readonly replayed?: true;
}

/** What `GET /api/changes?keys=` answers: of each key 200 with the answer, 404 where nothing was carried out, 409 in flight. */
export interface AnswersByKey {
  readonly answers: Readonly<Record<string, { readonly status: number; readonly body?: object }>>;
}
