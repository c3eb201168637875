import type { ResourceName } from '../resource.ts';
import type { FieldErrors, Values } from '../validate.ts';

/** A server's id in decimal, or a local id (`local-…`) of a record the server has not confirmed yet. */
export type RecordId = string;

/** A file that travels with a change. The bytes are stored apart, under `id`. */
export interface FileReference {
  readonly id: string;
  /** The field's name, without `[]`. */
  readonly field: string;
  readonly name: string;
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** Lower-case hexadecimal SHA-256 of the bytes. */
  readonly sha256: string;
}

/** The record as the administrator saw it when the edit began: what "changed since" is measured against. */
export interface Base {
  /** The server's version, where the server has versions. */
  readonly version?: string;
  readonly values: Values;
  /** Ids of the stored images. */
  readonly imageIds: readonly number[];
  /** Names of the stored single files, by field (`image`, `catalog`), where they are known. */
  readonly files?: Readonly<Record<string, string>>;
  /** Own earlier changes have added images since, whose ids are not known here. */
  readonly ownImagesAdded?: boolean;
}

export interface CreateChange {
  readonly op: 'create';
  readonly resource: ResourceName;
  readonly recordId: RecordId;
  readonly values: Values;
  readonly files: readonly FileReference[];
}

/** All text fields (full state, so that it is safe to repeat) and the files that are new. */
export interface UpdateChange {
  readonly op: 'update';
  readonly resource: ResourceName;
  readonly recordId: RecordId;
  readonly values: Values;
  readonly files: readonly FileReference[];
  readonly base: Base;
}

export interface DeleteChange {
  readonly op: 'delete';
  readonly resource: ResourceName;
  readonly recordId: RecordId;
  readonly base?: Base;
}

export interface DeleteImageChange {
  readonly op: 'delete-image';
  readonly resource: ResourceName;
  readonly recordId: RecordId;
  readonly imageId: number;
  /** File name of the image, to show it. */
  readonly image: string;
  readonly base?: Base;
}

export interface SaveSettingsChange {
  readonly op: 'save-settings';
  readonly values: Values;
  readonly base: Base;
}

export type Change = CreateChange | UpdateChange | DeleteChange | DeleteImageChange | SaveSettingsChange;
export type Operation = Change['op'];

/**
 * Where a change is in its life.
 * - `queued`: durable, waits for its turn
 * - `sending`: the attempt was committed to storage before the request went out
 * - `uncertain`: may have been committed by the server; the same key again, or read-back
 * - `waiting`: to be tried again at a known time
 * - `refused`: needs the administrator
 * - `conflict`: the record changed on the server since the edit began
 * - `done`: confirmed; kept as a receipt, without files
 */
export type EntryState = 'queued' | 'sending' | 'uncertain' | 'waiting' | 'refused' | 'conflict' | 'done';

/** Why a change is not done yet, for people and for the rules. Never decided by message text. */
export interface Reason {
  readonly code:
    | 'refused'
    | 'too-large'
    /** By a proxy or firewall on the way. */
    | 'blocked'
    | 'gone'
    | 'server-errors'
    | 'file-lost'
    | 'busy'
    | 'server-error'
    | 'no-answer'
    | 'unreachable'
    | 'conflict'
    | 'several-candidates';
  /** HTTP status of the answer, if there was one. */
  readonly status?: number;
  /** The server's own message, or ours. */
  readonly message: string;
  /** The server's texts per field (422). */
  readonly errors?: FieldErrors;
}

/** What the server held when a conflict was found. Which fields differ is derived: `conflict.ts`. */
export interface ConflictFacts {
  readonly theirs: Base;
  readonly foundAt: number;
  /** What stands against it is an earlier change of the same administrator, made here in another tab or an older form. */
  readonly own?: true;
}

/** What is kept of a confirmed change. */
export interface Receipt {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly message: string;
  readonly serverId?: number;
  /** The version that the record had with this change, where the server has versions. */
  readonly version?: string;
  /** Fields that had changed on the server meanwhile and were kept as they were there. */
  readonly merged?: readonly string[];
  /** Rows that a repeat made by the browser seems to have doubled: shown for removal, never removed by themselves. */
  readonly twins?: readonly number[];
}

/** Version 2 brought `doubt`, version 3 `mended`; `upcast.ts` reads the older ones. */
export const ENTRY_SCHEMA = 3;

/** One change in the outbox. Times are epoch milliseconds. */
export interface OutboxEntry {
  /** Version of this shape. An entry of a newer one than the code knows is left alone. */
  readonly schema: number;
  /** Place in the order; given by the database, kept when a refused change is repaired. */
  readonly sequence: number;
  readonly id: string;
  /** Id of the user who made it; it is sent only with that user's session. */
  readonly administrator: string;
  readonly change: Change;
  /** The record's name as people saw it. */
  readonly title: string;
  /** One per payload, made at enqueue. */
  readonly idempotencyKey: string;
  readonly state: EntryState;
  readonly createdAt: number;
  readonly attempts: number;
  readonly lastAttemptAt?: number;
  /** Not to be tried before: backoff, Retry-After, or the time in which a delete can be undone. */
  readonly notBefore?: number;
  /** The run of answered 5xx: how many, and since when. */
  readonly serverErrors?: { readonly count: number; readonly since: number };
  readonly reason?: Reason;
  readonly conflict?: ConflictFacts;
  /** An earlier attempt may have been carried out, and nothing since has told. */
  readonly doubt?: boolean;
  /** A queue file holds a copy: another device may send it under the same key, before this one or after. */
  readonly copied?: boolean;
  /** The payload was mended and kept its key: that the server knows the key does not tell which of the two has arrived. */
  readonly mended?: boolean;
  /** The payload was mended while the one before was in doubt: a row that is found for it may hold that one. */
  readonly firstMayBeThere?: boolean;
  /** The last attempt has surely ended by then, on the server too. */
  readonly attemptEndsBy?: number;
  /** Contract-only server: before the first attempt, the ids of the list (create) or of the record's images (update). */
  readonly knownIds?: readonly number[];
  /** Contract-only server: the create was confirmed with this message, its new id is not known yet. */
  readonly confirmed?: string;
  /** Contract-only server: rows that could be this create's, among which the administrator has to choose. */
  readonly candidates?: readonly number[];
  /** The first part of a change that was split because it has too many files for one request. */
  readonly partOf?: string;
  /** Fields that had changed on the server meanwhile and were kept as they were there: the later receipt's `merged`. */
  readonly merged?: readonly string[];
  readonly receipt?: Receipt;
}

/** What holds the whole queue back. `until` is absent where only an event ends it (a sign-in). */
export interface QueuePause {
  readonly cause: 'unreachable' | 'busy' | 'signed-out';
  readonly since: number;
  readonly until?: number;
  /** How many times in a row. */
  readonly failures: number;
  /** The network wants a sign-in of its own first. */
  readonly portal?: true;
}

/** What an answer, or its absence, means for a change. */
export type Outcome =
  | { readonly kind: 'done'; readonly message: string; readonly serverId?: number; readonly version?: string }
  /** Nothing that belongs to this server answered. `portal`: a network's sign-in page did. */
  | { readonly kind: 'unreachable'; readonly message: string; readonly portal?: true }
  /** The request may have been carried out. `status` where a 5xx or 408 was answered. */
  | { readonly kind: 'uncertain'; readonly message: string; readonly status?: number }
  /**
   * Told to wait: `retryAfter` in milliseconds. `scope` queue: 419, 425, 429, 503. `scope` entry: 409 in flight. `mayBeDone`: who
   * said so may have passed the request on before (409, 503).
   */
  | {
      readonly kind: 'busy';
      readonly message: string;
      readonly retryAfter?: number;
      readonly scope: 'queue' | 'entry';
      readonly mayBeDone: boolean;
    }
  | { readonly kind: 'signed-out'; readonly message: string }
  /** `keyKnown`: the server has carried out another payload under this key, so an earlier attempt had arrived. */
  | { readonly kind: 'refused'; readonly reason: Reason; readonly keyKnown?: boolean }
  | { readonly kind: 'conflict'; readonly message: string };

const LOCAL_PREFIX = 'local-';

/** A fresh local id from a UUID. */
export function localId(uuid: string): RecordId {
  return `${LOCAL_PREFIX}${uuid}`;
}

/** True for the id of a record that the server has not confirmed yet. */
export function isLocalId(id: RecordId): boolean {
  return id.startsWith(LOCAL_PREFIX);
}

/** The record a change is about, as one comparable text; site settings are one record. */
export function recordKey(change: Change): string {
  return change.op === 'save-settings' ? 'site-meta' : `${change.resource}/${change.recordId}`;
}
