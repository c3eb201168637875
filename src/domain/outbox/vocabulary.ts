import type { ROLE_TOO_LOW } from '../roles.ts';
import type { AnyResourceName, ResourceName } from '../resource.ts';
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
  /** File name of the image, to show it. */
  readonly image: string;
  readonly base?: Base;
}

export type Change = CreateChange | UpdateChange | DeleteChange | DeleteImageChange;
export type Operation = Change['op'];

/**
 * Where a change is in its life; `lifecycle.ts` tells how it gets there.
 * - `pending`: durable, waits: for its turn, its files, a time, a sign-in, an undo
 * - `sending`: the attempt was committed to storage before the request went out
 * - `attention`: refused or in conflict, needs the administrator
 * - `done`: confirmed; kept as a receipt, without files
 */
export type Phase = 'pending' | 'sending' | 'attention' | 'done';

/**
 * A way in which a change may have reached the server without this device knowing.
 * - `attempt`: an attempt got no answer that tells
 * - `export`: a queue file holds a copy, which another device may send under the same key
 * - `repair`: the payload was repaired under its key, so that the key's answer may be about an earlier one
 * - `earlier-payload`: what was to be sent before the repair may be there
 */
export type Possibility = 'attempt' | 'export' | 'repair' | 'earlier-payload';

/** All ways in which a change may have reached the server. Empty: it surely has not. */
export type Delivery = readonly Possibility[];

/** Why a change is not done yet, for people and for the rules. Never decided by message text. */
export interface Reason {
  readonly code:
    | 'refused'
    | 'too-large'
    /** By a proxy or firewall on the way. */
    | 'blocked'
    | 'gone'
    /** The administrator lost the right to make it. */
    | typeof ROLE_TOO_LOW
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
  readonly duplicates?: readonly number[];
}

/** `upcast.ts` reads the older ones. */
export const ENTRY_SCHEMA = 6;

/** What is known of a change in every phase. Times are epoch milliseconds. */
export interface EntryFacts {
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
  readonly createdAt: number;
  readonly delivery: Delivery;
  readonly attempts: number;
  readonly lastAttemptAt?: number;
  /** The last attempt has surely ended by then, on the server too. */
  readonly attemptEndsBy?: number;
  /** Of a create, on a server without keys: the ids of the list before the first attempt. */
  readonly baselineIds?: readonly number[];
  /** Server without keys: the create was confirmed with this message, its new id is not known yet. */
  readonly acceptedMessage?: string;
  /** The payload from before the repair, which may be there (`earlier-payload`). Absent where it is one of several. */
  readonly earlier?: Change;
  /** Earlier changes of the record that were discarded while nobody knew whether this one had arrived behind them, the first discarded first. */
  readonly discarded?: readonly Change[];
  /** Fields that had changed on the server meanwhile and were kept as they were there: the later receipt's `merged`. */
  readonly merged?: readonly string[];
  /** How many earlier changes of its record this deletion has taken along, never sent: they do not come back with the record. */
  readonly tookAlong?: number;
}

/** What belongs to one phase alone. */
export interface PhaseFacts {
  readonly pending: {
    /** Not to be tried before: backoff, Retry-After, or the time in which a delete can be undone. */
    readonly notBefore?: number;
    /** Why the last attempt did not end it. */
    readonly reason?: Reason;
    /** The run of answered 5xx: how many, and since when. */
    readonly serverErrors?: { readonly count: number; readonly since: number };
  };
  readonly sending: Omit<PhaseFacts['pending'], 'notBefore'>;
  readonly attention: {
    readonly reason: Reason;
    /** Of a conflict. */
    readonly conflict?: ConflictFacts;
    /** Server without keys: rows that could be this create's, among which the administrator has to choose. */
    readonly candidates?: readonly number[];
  };
  readonly done: { readonly receipt: Receipt };
}

type AnyFact = { [P in Phase]: keyof PhaseFacts[P] }[Phase];

/** An entry in one phase: it has the facts of that phase, and none of another. The database has an index on `state`, hence its name. */
export type EntryIn<P extends Phase> = EntryFacts &
  PhaseFacts[P] & { readonly state: P } & { readonly [F in Exclude<AnyFact, keyof PhaseFacts[P]>]?: never };

/** One change in the outbox. */
export type OutboxEntry = { [P in Phase]: EntryIn<P> }[Phase];

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
  | {
      readonly kind: 'done';
      readonly message: string;
      readonly serverId?: number;
      readonly version?: string;
      /** Rows that something else seems to have doubled, found by a gateway's read-back. */
      readonly duplicates?: readonly number[];
    }
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

/** The record a change is about, as one comparable text. */
export function recordKey({ resource, recordId }: Change): string {
  return `${resource}/${recordId}`;
}

/** The files that an entry carries. */
export function filesOf({ change }: Pick<OutboxEntry, 'change'>): readonly FileReference[] {
  return change.op === 'create' || change.op === 'update' ? change.files : [];
}
