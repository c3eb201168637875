import type { FastifyBaseLogger } from 'fastify';
import type { ActivityEntry } from '../../src/domain/activity.ts';
import type { LookupName } from '../../src/domain/fields.ts';
import type { HistoryEntry } from '../../src/domain/history.ts';
import type { Capabilities } from '../../src/domain/protocol/capabilities.ts';
import type { FeedPage } from '../../src/domain/protocol/feed.ts';
import type { Debt, OpenSession } from '../../src/domain/protocol/sessions.ts';
import type { AnyResource, Resource } from '../../src/domain/resource.ts';
import type { Role } from '../../src/domain/roles.ts';
import type { Encodable } from '../protocol/encodable.ts';
import type { ReceivedForm } from '../uploads/form.ts';
import type { StoredFile } from '../uploads/storage.ts';
import type { Factors } from './factors.ts';
import type { People } from './people.ts';

/** An administrator as the protocol knows them. */
export interface User {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Whom a request comes from. */
export interface SignedIn {
  readonly user: Pick<User, 'id' | 'name'>;
  /** Absent where the rights of an existing back end hold. */
  readonly role?: Role;
  /** What the sender has to do before anything else. */
  readonly owes?: Debt;
  /** Tells one session from another and opens none. */
  readonly tokenHash: string;
  /** When the session began, ISO 8601. Absent where an existing back end keeps the sessions. */
  readonly signedInAt?: string;
  /** What was noted of its use until now. Absent where an existing back end keeps the sessions. */
  readonly noted?: NotedUse;
}

export interface NotedUse {
  /** ISO 8601. */
  readonly used_at: string;
  /** Changes that wait on the device; null where it has never told. */
  readonly waiting: number | null;
}

/** Who asks for a record, and the record; undefined where it is not there. */
export interface SignedInWithRecord {
  readonly signedIn: SignedIn;
  readonly record: VersionedRecord | undefined;
}

/** Where somebody signs in. */
export interface Place {
  /** The browser and its system, in words. */
  readonly device: string;
  readonly address: string;
}

/** What is noted of the use of a session. */
export interface Use {
  readonly address: string;
  /** Changes that wait on the device; absent where it has not told. */
  readonly waiting?: number;
}

/** What a request brought to show who sent it. Absent headers are empty. */
export interface Credentials {
  /** The bearer token. */
  readonly token: string;
  readonly cookie: string;
  /** The anti-forgery value, as `X-XSRF-TOKEN` had it. */
  readonly antiForgery: string;
}

/** Who asks a store for something, and on what occasion. */
export interface Caller extends SignedIn {
  readonly credentials: Credentials;
  readonly log: FastifyBaseLogger;
  /** Sets a cookie with the answer, as an existing back end set it. */
  readonly setCookie: (header: string) => void;
}

/** A record with its version, and with more of what its single call gives. */
export interface VersionedRecord {
  readonly version: string;
  readonly [field: string]: unknown;
}

/** What a change is about. Ids are the store's. */
export type Target =
  | { readonly op: 'create'; readonly resource: Resource }
  | { readonly op: 'update'; readonly resource: AnyResource; readonly id: number }
  | { readonly op: 'delete'; readonly resource: Resource; readonly id: number }
  | { readonly op: 'delete-image'; readonly id: number };

/** A sender's name for one change, and what its payload is recognized by. */
export interface IdempotencyKey {
  readonly key: string;
  /** Lower-case hexadecimal SHA-256. */
  readonly fingerprint: string;
}

/** A change as it was asked for, its files on the disk. */
export interface RequestedChange {
  readonly target: Target;
  readonly form: ReceivedForm;
  /** Hashes of files that are not there: the change is one that is known by its key, or answered 409 `stage-again`. */
  readonly missing: readonly string[];
  /** The version that the change was made on, as `If-Match` had it. Absent: whatever the version is. */
  readonly ifMatch?: string;
  /** Absent: a repeat takes effect again. */
  readonly key?: IdempotencyKey;
  /** Throws 409 where the sender was told meanwhile that this change does not wait any more. Asked once it is under way. */
  readonly confirm?: () => Promise<void>;
}

/** What a change that took effect answers, always with 200. */
export interface ChangeAnswer {
  readonly message: string;
  /** Of the record; absent where nobody can tell it any more. */
  readonly id?: number;
  /** Of the record after the change. */
  readonly version?: string;
  /** Records with the same contents that something other than this change seems to have made of it. */
  readonly duplicates?: readonly number[];
}

/** The answer to a change, and whether it was given before. */
export interface Applied {
  readonly answer: ChangeAnswer;
  readonly isReplayed: boolean;
}

/**
 * Where the records are. Every change takes effect once under its key, and only on the version that was seen. Whatever cannot be
 * done is thrown as a Refusal: 401 signed out, 404 gone, 409 in flight, 412 another version, 422 invalid, 503 away.
 */
export interface Store {
  readonly capabilities: Capabilities;
  /** Whom these credentials belong to. */
  signedIn(credentials: Credentials): Promise<SignedIn>;
  /** The same, and a record with it: of a store that answers both at once sooner than one after the other. */
  signedInWithRecord?(credentials: Credentials, resource: AnyResource, id: number): Promise<SignedInWithRecord>;
  /** Notes, behind an answer, that a session was used: one that rests for long ends. */
  noteUse?(session: SignedIn, use: Use): Promise<void>;
  /** A whole record. */
  record(caller: Caller, resource: AnyResource, id: number): Promise<VersionedRecord>;
  change(caller: Caller, change: RequestedChange): Promise<Applied>;
  /** The answer to the caller's own change of that key; undefined when none took effect. Throws 409 while one is in flight. */
  answerTo(caller: Caller, key: string): Promise<ChangeAnswer | undefined>;
  /** Why this store cannot work now, in words; undefined when it can. */
  whyNotReady(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Which part of a list is asked for. */
export interface ListPart {
  /** From 1; heeded where the list is paged. */
  readonly page: number;
  /** So many rows at most, where the list is not paged. */
  readonly most?: number;
  /** Whole records instead of the list screen's columns. */
  readonly isFull: boolean;
}

/** An administrator with what a password is compared with. */
export interface Account extends User {
  readonly password_hash: string;
  readonly role: Role;
  /** What has to be done before anything else. */
  readonly owes?: Debt;
}

/** The administrators of a store that keeps them itself. */
export interface Accounts {
  byEmail(email: string): Promise<Account | undefined>;
  /** Throws when there is none. */
  byId(id: number): Promise<Account>;
  /** Makes a bearer token. */
  issueToken(userId: number, place: Place): Promise<string>;
  endToken(tokenHash: string): Promise<void>;
  /** The user's open sessions, the last used first. */
  sessions(userId: number): Promise<Omit<OpenSession, 'isThis'>[]>;
  /** False where the user has no such session. */
  endSession(userId: number, id: string): Promise<boolean>;
  endOtherSessions(userId: number, keepToken: string): Promise<void>;
  /** Sets a password and ends the user's other sessions. */
  setPassword(userId: number, password: string, keepToken: string): Promise<void>;
}

/** What tells devices of changes. */
export interface FeedSource extends Pick<Store, 'signedIn'> {
  /**
   * What changed since a cursor that this store gave, over all kinds, a page at a time; without one, everything. Of a store that has to
   * look for it, what it knows when nobody asks.
   */
  feed(since: string | undefined, asker?: Credentials): Promise<FeedPage>;
  /** The cursor of what is known now. */
  feedCursor(): Promise<string>;
  /** Runs `told` behind every change that this store has made. The returned function ends that. */
  watch(told: () => void): () => void;
}

/** A store that keeps the records itself. In front of an existing back end, these calls are passed on to it. */
export interface OwnStore extends Store, FeedSource {
  readonly accounts: Accounts;
  readonly people: People;
  readonly factors: Factors;
  /** A list as JSON. */
  list(resource: Resource, part: ListPart): Promise<Encodable>;
  /** The values of a looked-up list, in alphabetical order; none when the parent is unknown. */
  lookup(name: LookupName, parent?: string): Promise<string[]>;
  /** Who did what to a record, the newest first. Also of a deleted one. */
  history(resource: string, id: number): Promise<HistoryEntry[]>;
  /** What happened lately over all kinds, the newest first. */
  activity(): Promise<ActivityEntry[]>;
  /** A random value of this installation, made at its first use and kept. */
  secret(name: string): Promise<Buffer>;
  /** Bytes that the records take on the disk, without their files. */
  size(): Promise<number>;
  /** What is known of a stored file. */
  file(name: string): Promise<StoredFile | undefined>;
}
