import type { ColumnType, Generated, Kysely, Selectable, Transaction } from 'kysely';
import type { LinkPurpose } from '../../../src/domain/protocol/people.ts';
import type { Role } from '../../../src/domain/roles.ts';
import type { AnyResource } from '../../../src/domain/resource.ts';
import type { StoredFile } from '../../uploads/storage.ts';

/** Times are ISO 8601 in UTC, hashes are lower-case hexadecimal, and there are no booleans. */
export interface Tables {
  readonly users: UsersTable;
  readonly tokens: TokensTable;
  readonly links: LinksTable;
  readonly link_makers: LinkMakersTable;
  readonly content_tokens: ContentTokensTable;
  readonly devices: DevicesTable;
  readonly notices: NoticesTable;
  readonly site_contacts: SiteContactsTable;
  readonly webhooks: WebhooksTable;
  readonly webhook_deliveries: WebhookDeliveriesTable;
  readonly passkeys: PasskeysTable;
  readonly authenticators: AuthenticatorsTable;
  readonly recovery_codes: RecoveryCodesTable;
  /** What the owners require of everyone. */
  readonly requirements: RequirementsTable;
  readonly secrets: SecretsTable;
  /** All stored uploads. */
  readonly files: StoredFile;
  readonly images: ImagesTable;
  readonly removed_files: RemovedFilesTable;
  readonly file_holds: FileHoldsTable;
  readonly idempotency_keys: IdempotencyKeysTable;
  readonly lookups: LookupsTable;
  readonly site_meta: RecordTable;
  readonly changes: ChangesTable;
  readonly records: RecordTable;
  readonly feed: FeedTable;
  readonly epochs: EpochsTable;
  readonly unnamed_files: UnnamedFilesTable;
  readonly trash: TrashTable;
  readonly trashed_files: TrashedFilesTable;
  readonly deleted_again: DeletedAgainTable;
}

export interface UsersTable {
  readonly id: Generated<number>;
  readonly name: string;
  readonly email: string;
  readonly password_hash: string;
  readonly role: Role;
  /** The time when a generated password was set; null once the user has chosen their own. */
  readonly made_up_password_at: string | null;
  readonly created_at: ColumnType<string, string, never>;
  readonly updated_at: string;
}

/** Bearer tokens. Only their hashes are stored. */
export interface TokensTable {
  readonly hash: string;
  readonly user_id: number;
  readonly created_at: string;
  readonly used_at: string;
  /** A display name of the browser and its system. */
  readonly device: string;
  /** The address it was last used from. */
  readonly address: string;
  /** Changes then waiting on the device; null if it has never reported. */
  readonly waiting: number | null;
}

/** Invitations, and links to set a password. Only their hashes are stored. `user_id` is the owner of the password. */
export interface LinksTable {
  readonly hash: string;
  readonly purpose: LinkPurpose;
  readonly user_id: number | null;
  readonly name: string;
  /** In lower case. */
  readonly email: string;
  readonly role: Role;
  readonly created_at: string;
  readonly expires_at: string;
}

/** The owners who made links. A link that its holder asked for has none. */
export interface LinkMakersTable {
  /** The hash of the link. */
  readonly link: string;
  readonly user_id: number;
}

/** Tokens with which programs read the content API. Only their hashes are stored. */
export interface ContentTokensTable {
  readonly hash: string;
  readonly name: string;
  readonly created_at: string;
  readonly used_at: string | null;
}

/** What owners are to be told, by its cause. */
export interface NoticesTable {
  readonly cause: string;
  readonly text: string;
  readonly since: string;
  /** When a server last found it. */
  readonly seen_at: string;
  readonly told_at: string | null;
  readonly over_at: string | null;
}

/** Devices as their pages last reported them, by person. Sizes are megabytes. */
export interface DevicesTable {
  readonly user_id: number;
  readonly id: string;
  /** The hash of the token that reported, which may have ended. */
  readonly token: string;
  readonly device: string;
  readonly version: string;
  readonly seen_at: string;
  /** Null once the device has sent something without its page. */
  readonly waiting: number | null;
  readonly since: string | null;
  readonly used: number | null;
  readonly quota: number | null;
}

/** When the public site last read the content, and when it was last told of a change. */
export interface SiteContactsTable {
  readonly what: string;
  readonly at: string;
}

/** Addresses that are told of changes. `told_seq` is the feed number up to which deliveries exist. */
export interface WebhooksTable {
  readonly id: string;
  readonly url: string;
  /** Signs messages, so it is stored as it is. */
  readonly secret: string;
  readonly created_at: string;
  readonly told_seq: number;
}

/** Messages to webhooks, in order. `next_at` is null once a message was delivered or, with a problem, given up. */
export interface WebhookDeliveriesTable {
  readonly id: Generated<number>;
  readonly message_id: string;
  readonly webhook_id: string;
  readonly body: string;
  readonly created_at: string;
  readonly attempts: number;
  readonly next_at: string | null;
  readonly status: number | null;
  readonly problem: string | null;
}

/** Passkeys, by the id that their device assigned. `transports` is a JSON list. */
export interface PasskeysTable {
  readonly id: string;
  readonly user_id: number;
  /** COSE, Base64url. */
  readonly public_key: string;
  readonly counter: number;
  readonly transports: string;
  readonly name: string;
  readonly created_at: string;
  readonly used_at: string | null;
}

/** Authenticator apps, at most one per user. */
export interface AuthenticatorsTable {
  readonly user_id: number;
  /** Base32. */
  readonly secret: string;
  /** The time step of the last accepted code. */
  readonly last_step: number;
  /** Wrong codes since the last correct one, and the time of the latest. */
  readonly failures: number;
  readonly failed_at: string | null;
  readonly created_at: string;
}

/** Unused recovery codes. Only their hashes are stored. */
export interface RecoveryCodesTable {
  readonly hash: string;
  readonly user_id: number;
}

export interface RequirementsTable {
  readonly name: string;
  readonly since: string;
}

/** Random values by name, created on first use. */
export interface SecretsTable {
  readonly name: string;
  readonly value: string;
}

/** The images of all kinds of record in one table, so that ids are unique across kinds. */
export interface ImagesTable {
  readonly id: Generated<number>;
  readonly resource: string;
  readonly record_id: number;
  readonly image: string;
}

/** Unreferenced files still to be removed from the disk. */
export interface RemovedFilesTable {
  readonly name: string;
}

/** Holds. No file is removed during one: a running backup still reads the files. */
export interface FileHoldsTable {
  readonly id: string;
  readonly until: string;
}

/** The answer to every applied change, by its sender's key. */
export interface IdempotencyKeysTable {
  readonly user_id: number;
  readonly key: string;
  readonly fingerprint: string;
  readonly status: number;
  readonly body: string;
  readonly created_at: string;
  /** The highest number of the feed at its commit: its change has this number or a lower one. */
  readonly made_by: Generated<number>;
}

/** Values of lookup lists. `parent` is '' if the list has no parent. */
export interface LookupsTable {
  readonly lookup: string;
  readonly parent: string;
  readonly value: string;
}

/** Who changed what and when, with the values before and after as JSON. */
export interface ChangesTable {
  readonly id: Generated<number>;
  readonly at: string;
  readonly user_id: number;
  readonly user_name: string;
  readonly resource: string;
  readonly record_id: number;
  readonly action: string;
  readonly before: string | null;
  readonly after: string | null;
  /** The device that has sent it again after the database had forgotten it. */
  readonly sent_again_from: string | null;
}

/** One row per thing that ever changed, with the number of its last change. Written by triggers (`feed-triggers.ts`). */
export interface FeedTable {
  readonly seq: Generated<number>;
  /** A kind of record, the site-wide settings, or the lookup lists. */
  readonly subject: string;
  /** 0 if the subject is a single thing. */
  readonly record_id: number;
}

/** The periods of the feed, by which a database that has forgotten changes is recognized: see `epochs.ts`. */
export interface EpochsTable {
  readonly id: Generated<number>;
  readonly name: string;
  /** The last number of the epoch before. */
  readonly begins_after: number;
  readonly begun_at: string;
}

/** Stored files that no record names, since when: see `removal.ts`. */
export interface UnnamedFilesTable {
  readonly name: string;
  readonly since: string;
}

/** Deleted records that can be restored: see `trash.ts`. */
export interface TrashTable {
  readonly id: Generated<number>;
  readonly resource: string;
  readonly record_id: number;
  /** The row of the record, and its images, as JSON. */
  readonly content: string;
  readonly title: string;
  /** Its texts in lower case, for a search. */
  readonly words: string;
  readonly deleted_at: string;
  readonly user_id: number;
  readonly user_name: string;
}

/** Stored files that are kept for a record in the trash, or for earlier versions of a record, out of the public's reach. */
export interface TrashedFilesTable {
  readonly name: string;
  readonly resource: string;
  readonly record_id: number;
  readonly since: string;
}

/** Records (by kind) and images that a device has deleted again, and that this history did not know: see `kept.ts`. */
export interface DeletedAgainTable {
  readonly subject: string;
  readonly record_id: number;
}

/** The common columns of all kinds of record. Fields are further columns. */
export interface RecordTable {
  readonly id: Generated<number>;
  readonly version: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export type Database = Kysely<Tables>;
export type Writing = Transaction<Tables>;
export type StoredUser = Selectable<UsersTable>;
export type StoredLink = Selectable<LinksTable>;
export type WebhookRow = Selectable<WebhooksTable>;
export type WebhookDeliveryRow = Selectable<WebhookDeliveriesTable>;
export type TrashRow = Selectable<TrashTable>;
export type PasskeyRow = Selectable<PasskeysTable>;
/** A record's row: the common columns and one per field. */
export type RecordRow = Selectable<RecordTable> & Readonly<Record<string, string | number | null>>;

/** The table of a kind of record. All have the shape of `records`, which represents them in types. */
export function tableOf(resource: AnyResource): 'records' {
  return resource.name.replaceAll('-', '_') as 'records';
}
