import type { Again } from '../protocol/kept.ts';
import type { UNSETTLED } from '../protocol/unsettled.ts';
import type { ROLE_TOO_LOW } from '../roles.ts';
import type { AnyResourceName, ResourceName } from '../resource.ts';
import type { FieldErrors, Values } from '../validate.ts';

/** A server id in decimal, or a local id (`local-…`) of a record that the server has not confirmed yet. */
export type RecordId = string;

/** A file of a change. Its bytes are stored separately, under `id`. */
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

/**
 * The record as the administrator saw it when the change was made. Later changes are detected against it. A part that is
 * absent was not seen: what the record holds there is nobody's to overwrite or delete without a question.
 */
export interface Base {
  /** The server's version, if the server supports versions. It covers the parts that were not seen. */
  readonly version?: string;
  /** Texts, by field. A list shows only some of them. */
  readonly values: Values;
  /** Ids of the stored images. */
  readonly imageIds?: readonly number[];
  /** Names of the stored single files, by field (`image`, `catalog`). Empty if there was none. */
  readonly files?: Readonly<Record<string, string>>;
  /** SHA-256 of the files that the user's earlier changes have stored since, by field. Their names or ids are not known. */
  readonly ownFiles?: Readonly<Record<string, readonly string[]>>;
}

export interface CreateChange {
  readonly op: 'create';
  readonly resource: ResourceName;
  readonly recordId: RecordId;
  readonly values: Values;
  readonly files: readonly FileReference[];
}

/** All text fields (the full state, so that a repeat is safe) and the new files. */
export interface UpdateChange {
  readonly op: 'update';
  readonly resource: AnyResourceName;
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
  /** The image's file name, for display. */
  readonly image: string;
  readonly base?: Base;
}

export type Change = CreateChange | UpdateChange | DeleteChange | DeleteImageChange;
export type Operation = Change['op'];

/**
 * The phase of a change. `lifecycle.ts` defines the transitions.
 * - `pending`: durable; waits for its turn, its files, a time, a sign-in or an undo
 * - `sending`: the attempt was committed to storage before the request went out
 * - `attention`: refused or in conflict; needs the administrator
 * - `done`: confirmed; kept as a receipt, without files
 */
export type Phase = 'pending' | 'sending' | 'attention' | 'done';

/**
 * A way in which a change may have reached the server without this device knowing.
 * - `attempt`: an attempt got no conclusive answer
 * - `export`: a queue file holds a copy, which another device may send under the same key
 * - `repair`: the payload was repaired under its key, so the key's answer may be about an earlier one
 * - `earlier-payload`: the server may have the payload from before the repair
 */
export type Possibility = 'attempt' | 'export' | 'repair' | 'earlier-payload';

/** All ways in which a change may have reached the server. Empty if it certainly has not. */
export type Delivery = readonly Possibility[];

/** Why a change is not done yet, for people and for the rules. Never derived from message text. */
export interface Reason {
  readonly code:
    | 'refused'
    | 'too-large'
    /** By a proxy or firewall between device and server. */
    | 'blocked'
    | 'gone'
    /** The administrator no longer has permission to make the change. */
    | typeof ROLE_TOO_LOW
    | 'server-errors'
    | 'file-lost'
    | 'busy'
    /** A gateway cannot tell whether the change took effect: the administrator decides. */
    | typeof UNSETTLED
    | 'server-error'
    | 'no-answer'
    | 'unreachable'
    | 'conflict'
    | 'several-candidates';
  /** HTTP status of the answer. Absent without an answer. */
  readonly status?: number;
  /** The server's message, or the app's. */
  readonly message: string;
  /** The server's messages per field (422). */
  readonly errors?: FieldErrors;
  /** The server refused a staged file and has not seen the rest of the change. Its largest file in bytes. */
  readonly fileLimit?: number;
}

/** What the server held when the conflict was found. `conflict.ts` derives which fields differ. */
export interface ConflictFacts {
  readonly theirs: Base;
  readonly foundAt: number;
  /** The conflict is with the same administrator's earlier change, made on this device in another tab or an older form. */
  readonly own?: true;
}

/** The record of a confirmed change. */
export interface Receipt {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly message: string;
  readonly serverId?: number;
  /** The record's version with this change, if the server supports versions. */
  readonly version?: string;
  /** Fields that had changed on the server meanwhile and kept the server's values. */
  readonly merged?: readonly string[];
  /** Probable duplicates created when the browser repeated the request. Offered for removal, never removed automatically. */
  readonly duplicates?: readonly number[];
  /** The ids of the images that it has added, in order, if the server names them. */
  readonly images?: readonly number[];
  /**
   * Kept until it is in a backup: with its files, or only its texts if the files had to give way. Absent once it is in one,
   * and for a server that does not tell.
   */
  readonly kept?: 'whole' | 'texts';
  /** The server no longer knows it: a backup from before it was restored. */
  readonly forgotten?: true;
}

/** The current entry schema. `upcast.ts` reads older ones. */
export const ENTRY_SCHEMA = 6;

/** Facts of a change that exist in every phase. Times are epoch milliseconds. */
export interface EntryFacts {
  /** Version of this shape. Entries with a version newer than the code's are left alone. */
  readonly schema: number;
  /** Position in the queue. Assigned by the database and kept when a refused change is repaired. */
  readonly sequence: number;
  readonly id: string;
  /** Id of the user who made the change. It is sent only in that user's session. */
  readonly administrator: string;
  readonly change: Change;
  /** The record's name as shown to the user. */
  readonly title: string;
  /** One per payload, generated at enqueue. */
  readonly idempotencyKey: string;
  readonly createdAt: number;
  readonly delivery: Delivery;
  /** How many later saves were merged into it. Absent if none. */
  readonly mergedSaves?: number;
  /** When a save was last merged into it, or repaired it. Absent if none since `createdAt`. */
  readonly savedAt?: number;
  readonly attempts: number;
  readonly lastAttemptAt?: number;
  /** By this time the last attempt has certainly ended, on the server too. */
  readonly attemptEndsBy?: number;
  /** The attempt whose end another life of the app has waited for anew. The next one trusts the clock. */
  readonly waitedAnew?: number;
  /** How many attempts met another version of the record and were rebased. Absent if none. */
  readonly rebases?: number;
  /** For a create on a server without keys: the list's ids before the first attempt. */
  readonly baselineIds?: readonly number[];
  /** On a server without keys: the create was confirmed with this message, but its new id is not known yet. */
  readonly acceptedMessage?: string;
  /** The payload from before the repair, which the server may have (`earlier-payload`). Absent if there are several. */
  readonly earlier?: Change;
  /** Earlier changes of the record that were discarded while this one's delivery was unknown, in the order of discarding. */
  readonly discarded?: readonly Change[];
  /** Fields that had changed on the server meanwhile and kept the server's values. Becomes the receipt's `merged`. */
  readonly merged?: readonly string[];
  /** What it was given the first time, if it is sent again after the server has forgotten it. */
  readonly again?: Again;
  /** How many unsent earlier changes of its record this deletion dropped. They do not return if the record does. */
  readonly tookAlong?: number;
}

/** Facts that exist in one phase only. */
export interface PhaseFacts {
  readonly pending: {
    /** Earliest next attempt: after backoff, Retry-After, or the undo period of a delete. */
    readonly notBefore?: number;
    /** Why the last attempt did not complete the change. */
    readonly reason?: Reason;
    /** The consecutive 5xx answers: how many, and since when. */
    readonly serverErrors?: { readonly count: number; readonly since: number };
  };
  readonly sending: Omit<PhaseFacts['pending'], 'notBefore'>;
  readonly attention: {
    readonly reason: Reason;
    /** Present for a conflict only. */
    readonly conflict?: ConflictFacts;
    /** On a server without keys: possible rows of this create, from which the administrator has to choose. */
    readonly candidates?: readonly number[];
  };
  readonly done: { readonly receipt: Receipt };
}

type AnyFact = { [P in Phase]: keyof PhaseFacts[P] }[Phase];

/** An entry in one phase, with that phase's facts only. `state` keeps its name because the database has an index on it. */
export type EntryIn<P extends Phase> = EntryFacts &
  PhaseFacts[P] & { readonly state: P } & { readonly [F in Exclude<AnyFact, keyof PhaseFacts[P]>]?: never };

/** One change in the outbox. */
export type OutboxEntry = { [P in Phase]: EntryIn<P> }[Phase];

/** A pause of the whole queue. `until` is absent if only an event (a sign-in) ends it. */
export interface QueuePause {
  readonly cause: 'unreachable' | 'busy' | 'signed-out';
  readonly since: number;
  readonly until?: number;
  /** Consecutive failures. */
  readonly failures: number;
  /** A captive portal requires a sign-in first. */
  readonly portal?: true;
  /** Something other than the server has ordered the wait. The first answer of the server ends it. */
  readonly foreign?: true;
}

/** The meaning of an answer, or of its absence, for a change. */
export type Outcome =
  | {
      readonly kind: 'done';
      readonly message: string;
      readonly serverId?: number;
      readonly version?: string;
      readonly images?: readonly number[];
      /** What it deletes was gone already: the server has executed nothing under its key. */
      readonly gone?: true;
      /** Probable duplicates that something else created, found by a gateway's read-back. */
      readonly duplicates?: readonly number[];
    }
  /** The answer did not come from this server. `portal`: it came from a network's sign-in page. */
  | { readonly kind: 'unreachable'; readonly message: string; readonly portal?: true }
  /** The request may have been executed. `status` is present for a 5xx or 408 answer. */
  | { readonly kind: 'uncertain'; readonly message: string; readonly status?: number }
  /**
   * The server asks to wait. `retryAfter` is in milliseconds. `scope` queue: 419, 425, 429, 503. `scope` entry: 409 in
   * flight. `mayBeDone`: the request may have been executed or passed on before this answer, which may be that to a repeat by
   * the browser (all but 419). `foreign`: something else asks, whose word is good for a short time only.
   */
  | {
      readonly kind: 'busy';
      readonly message: string;
      readonly retryAfter?: number;
      readonly scope: 'queue' | 'entry';
      readonly mayBeDone: boolean;
      /** The server cannot tell whether it was executed, and its sender has to. */
      readonly isUnsettled?: true;
      readonly foreign?: true;
    }
  | { readonly kind: 'signed-out'; readonly message: string }
  /** `keyKnown`: the server already applied another payload under this key, so an earlier attempt had arrived. */
  | { readonly kind: 'refused'; readonly reason: Reason; readonly keyKnown?: boolean }
  | { readonly kind: 'conflict'; readonly message: string };

const LOCAL_PREFIX = 'local-';

/** Makes a local id from a UUID. */
export function localId(uuid: string): RecordId {
  return `${LOCAL_PREFIX}${uuid}`;
}

/** True for the id of a record that the server has not confirmed yet. */
export function isLocalId(id: RecordId): boolean {
  return id.startsWith(LOCAL_PREFIX);
}

/** The record of a change, as a key. */
export function recordKey({ resource, recordId }: Change): string {
  return `${resource}/${recordId}`;
}

/** The files of an entry. */
export function filesOf({ change }: Pick<OutboxEntry, 'change'>): readonly FileReference[] {
  return change.op === 'create' || change.op === 'update' ? change.files : [];
}
