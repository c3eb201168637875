import type { FastifyBaseLogger } from 'fastify';
import type { ActivityEntry } from '../../src/domain/activity.ts';
import type { LookupName } from '../../src/domain/fields.ts';
import type { HistoryEntry } from '../../src/domain/history.ts';
import type { Capabilities } from '../../src/domain/protocol/capabilities.ts';
import type { FilesHealth } from '../../src/domain/protocol/health.ts';
import type { Again, KeptAnswer } from '../../src/domain/protocol/kept.ts';
import type { FeedPage } from '../../src/domain/protocol/feed.ts';
import type { Debt, OpenSession } from '../../src/domain/protocol/sessions.ts';
import type { OutcomeDecision } from '../../src/domain/protocol/unsettled.ts';
import type { AnyResource, Resource } from '../../src/domain/resource.ts';
import type { Role } from '../../src/domain/roles.ts';
import type { Encodable } from '../protocol/encodable.ts';
import type { ReceivedForm } from '../uploads/form.ts';
import type { StoredFile } from '../uploads/storage.ts';
import type { ContentTokens } from './content-tokens.ts';
import type { Devices } from './devices.ts';
import type { Factors } from './factors.ts';
import type { Notices } from './notices.ts';
import type { People } from './people.ts';
import type { SiteContacts } from './site-contacts.ts';
import type { Trash } from './trash.ts';
import type { Webhooks } from './webhooks.ts';

/** An administrator, as the protocol describes them. */
export interface User {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The sender of a request. */
export interface SignedIn {
  readonly user: Pick<User, 'id' | 'name' | 'email'>;
  /** Absent if an existing back end decides about rights. */
  readonly role?: Role;
  /** What the sender must do before anything else. */
  readonly owes?: Debt;
  /** Identifies the session without granting access. */
  readonly tokenHash: string;
  /** When the session began, ISO 8601. Absent if an existing back end keeps sessions. */
  readonly signedInAt?: string;
  /** The last recorded use. Absent if an existing back end keeps sessions. */
  readonly noted?: NotedUse;
}

export interface NotedUse {
  /** ISO 8601. */
  readonly used_at: string;
  /** Changes waiting on the device; null if it has never reported. */
  readonly waiting: number | null;
}

/** The sender and the requested record, or undefined if there is none. */
export interface SignedInWithRecord {
  readonly signedIn: SignedIn;
  readonly record: VersionedRecord | undefined;
}

/** Where a sign-in comes from. */
export interface Place {
  /** A display name of the browser and its system. */
  readonly device: string;
  readonly address: string;
}

/** The recorded use of a session. */
export interface Use {
  readonly address: string;
  /** Changes waiting on the device; absent if not reported. */
  readonly waiting?: number;
}

/** The credentials of a request. Absent headers are empty. */
export interface Credentials {
  /** The bearer token. */
  readonly token: string;
  readonly cookie: string;
  /** The value of `X-XSRF-TOKEN`. */
  readonly antiForgery: string;
}

/** The sender of a call to a store. */
export interface Caller extends SignedIn {
  /** Aborted when the sender has hung up before the answer. Absent for work that goes on without its sender. */
  readonly signal?: AbortSignal;
  readonly credentials: Credentials;
  readonly log: FastifyBaseLogger;
  /** Passes on a cookie that an existing back end has set. */
  readonly setCookie: (header: string) => void;
}

/** A record with its version and the extras of its single call. */
export interface VersionedRecord {
  readonly version: string;
  readonly [field: string]: unknown;
}

/** The target of a change. Ids are the store's. */
export type Target =
  | { readonly op: 'create'; readonly resource: Resource }
  | { readonly op: 'update'; readonly resource: AnyResource; readonly id: number }
  | { readonly op: 'delete'; readonly resource: Resource; readonly id: number }
  | { readonly op: 'delete-image'; readonly id: number };

/** A sender's key for a change, and the fingerprint of its payload. */
export interface IdempotencyKey {
  readonly key: string;
  /** Lower-case hexadecimal SHA-256. */
  readonly fingerprint: string;
  /** True for a fingerprint that an earlier version of this server may have stored for this payload. */
  readonly isEarlier: (fingerprint: string) => boolean;
}

/** A requested change, with its files on the disk. */
export interface RequestedChange {
  readonly target: Target;
  readonly form: ReceivedForm;
  /** Hashes of missing files. The change is either known by its key or answered with 409 `stage-again`. */
  readonly missing: readonly string[];
  /** The base version from `If-Match`. Absent to accept any version. */
  readonly ifMatch?: string;
  /** What it was given before this history forgot it, if its sender sends it again. */
  readonly again?: Again;
  /** Without a key, a repeat takes effect again. */
  readonly key?: IdempotencyKey;
  /** Throws 409 if the sender has been told meanwhile that this key is unknown. Called once the change is running. */
  readonly confirm?: () => Promise<void>;
}

/** The answer to a successful change, always with 200. */
export interface ChangeAnswer {
  readonly message: string;
  /** The id of the record. Absent if it is no longer known. */
  readonly id?: number;
  /** The version of the record after the change. */
  readonly version?: string;
  /** The ids of the images that the change has added, in order. Absent if none. */
  readonly images?: readonly number[];
  /** Records with the same contents that a repeat by something else seems to have created. */
  readonly duplicates?: readonly number[];
}

/** The answer to a change, and whether it is a replay. */
export interface Applied {
  readonly answer: ChangeAnswer;
  readonly isReplayed: boolean;
}

/**
 * A store of records. Every change takes effect exactly once per key, and only on its base version. Throws a Refusal otherwise:
 * 401 signed out, 404 gone, 409 in flight, 412 another version, 422 invalid, 503 unavailable.
 */
export interface Store {
  readonly capabilities: Capabilities;
  /** The sender with these credentials. */
  signedIn(credentials: Credentials): Promise<SignedIn>;
  /** Looks up the sender and a record at once. Absent if that is no faster. */
  signedInWithRecord?(credentials: Credentials, resource: AnyResource, id: number): Promise<SignedInWithRecord>;
  /** Records the use of a session, after the answer: idle sessions expire. */
  noteUse?(session: SignedIn, use: Use): Promise<void>;
  /** What devices report. Absent if an existing back end keeps sessions. */
  readonly devices?: Devices;
  /** A whole record. */
  record(caller: Caller, resource: AnyResource, id: number): Promise<VersionedRecord>;
  change(caller: Caller, change: RequestedChange): Promise<Applied>;
  /** The answer to the caller's change with this key. Undefined if none took effect. Throws 409 while it is in flight. */
  answerTo(caller: Caller, key: string): Promise<ChangeAnswer | undefined>;
  /**
   * Carries out what the sender of an unsettled change decides. Undefined once it is given up. Only a store that may have to ask:
   * a gateway.
   */
  decide?(caller: Caller, key: string, decided: OutcomeDecision): Promise<ChangeAnswer | undefined>;
  /** A readable reason why this store is not ready. Undefined if it is. */
  whyNotReady(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** The requested part of a list. */
export interface ListPart {
  /** Page number from 1. Only for paged lists. */
  readonly page: number;
  /** Maximum number of rows. Only for lists that are not paged. */
  readonly most?: number;
  /** True for whole records instead of the list's columns. */
  readonly isFull: boolean;
}

/** An administrator with their password hash. */
export interface Account extends User {
  readonly password_hash: string;
  readonly role: Role;
  /** What they must do before anything else. */
  readonly owes?: Debt;
}

/** The administrators of an own store. */
export interface Accounts {
  byEmail(email: string): Promise<Account | undefined>;
  /** Throws if there is none. */
  byId(id: number): Promise<Account>;
  /** Issues a bearer token. */
  issueToken(userId: number, place: Place): Promise<string>;
  endToken(tokenHash: string): Promise<void>;
  /** The user's open sessions, most recently used first. */
  sessions(userId: number): Promise<Omit<OpenSession, 'isThis'>[]>;
  /** Returns false if the user has no such session. */
  endSession(userId: number, id: string): Promise<boolean>;
  endOtherSessions(userId: number, keepToken: string): Promise<void>;
  /** Sets a password and ends the user's other sessions. */
  setPassword(userId: number, password: string, keepToken: string): Promise<void>;
}

/** Who asks for changes. */
export interface FeedAsker {
  readonly userId: number;
  readonly credentials: Credentials;
  /** False for a device that is only connected: then a store that has to look for changes returns what it knows. */
  readonly isWaiting: boolean;
}

/** A source of changes for devices. */
export interface FeedSource extends Pick<Store, 'signedIn'> {
  /** True if people may see different changes. Absent if everyone who is signed in sees all. */
  readonly isPersonal?: boolean;
  /**
   * One page of the changes of all kinds since a cursor; without a cursor, everything. Contains only what the asker may see.
   */
  feed(since: string | undefined, asker: FeedAsker): Promise<FeedPage>;
  /** The current cursor. */
  feedCursor(asker: FeedAsker): Promise<string>;
  /** Calls `told` after every change of this store. Returns a function that stops it. */
  watch(told: () => void): () => void;
}

/** A store that keeps the records itself. A gateway proxies these calls to its back end. */
export interface OwnStore extends Store, FeedSource {
  /** The same for everyone. */
  feed(since: string | undefined): Promise<FeedPage>;
  feedCursor(): Promise<string>;
  /** Changes whenever anything that the feed tells has changed. */
  revision(): Promise<string>;
  /** The same at once. Absent if the records are not in this process. */
  revisionNow?(): string;
  /** Which of a user's keys this history does not know, and which are in a verified backup. */
  kept(userId: number, keys: readonly string[]): Promise<KeptAnswer>;
  readonly accounts: Accounts;
  readonly people: People;
  readonly factors: Factors;
  readonly contentTokens: ContentTokens;
  readonly devices: Devices;
  readonly notices: Notices;
  readonly siteContacts: SiteContacts;
  readonly webhooks: Webhooks;
  readonly trash: Trash;
  /** A list as JSON. */
  list(resource: Resource, part: ListPart): Promise<Encodable>;
  /** The values of a lookup list in alphabetical order. Empty if the parent is unknown. */
  lookup(name: LookupName, parent?: string): Promise<string[]>;
  /** A page of a record's history, newest first: before an entry, or the newest. Works for deleted records too. */
  history(resource: string, id: number, before?: number): Promise<HistoryEntry[]>;
  /** Recent activity of all kinds, newest first. */
  activity(): Promise<ActivityEntry[]>;
  /** A random secret of this installation, created on first use. */
  secret(name: string): Promise<Buffer>;
  /** Size of the records on the disk in bytes, without their files. */
  size(): Promise<number>;
  /** What is wrong with the stored files. Undefined if nothing is. */
  filesHealth(): Promise<FilesHealth | undefined>;
  /** The metadata of a stored file. Undefined for a file in the trash. */
  file(name: string): Promise<StoredFile | undefined>;
  /** The metadata of those of these files that are stored. */
  files(names: readonly string[]): Promise<StoredFile[]>;
}
