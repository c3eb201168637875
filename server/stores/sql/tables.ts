import type { ColumnType, Generated, Kysely, Selectable, Transaction } from 'kysely';
import type { LinkPurpose } from '../../../src/domain/protocol/people.ts';
import type { Role } from '../../../src/domain/roles.ts';
import type { AnyResource } from '../../../src/domain/resource.ts';
import type { StoredFile } from '../../uploads/storage.ts';

/** Times are ISO 8601 in UTC; hashes are lower-case hexadecimal. Booleans do not occur. */
export interface Tables {
  readonly users: UsersTable;
  readonly tokens: TokensTable;
  readonly links: LinksTable;
  readonly passkeys: PasskeysTable;
  readonly authenticators: AuthenticatorsTable;
  readonly recovery_codes: RecoveryCodesTable;
  /** What the owners ask of everybody. */
  readonly requirements: RequirementsTable;
  readonly secrets: SecretsTable;
  /** Every stored upload. */
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
}

export interface UsersTable {
  readonly id: Generated<number>;
  readonly name: string;
  readonly email: string;
  readonly password_hash: string;
  readonly role: Role;
  /** Since when the password is one that was made up for this user; null once it is their own. */
  readonly made_up_password_at: string | null;
  readonly created_at: ColumnType<string, string, never>;
  readonly updated_at: string;
}

/** Bearer tokens; only their hash is kept. */
export interface TokensTable {
  readonly hash: string;
  readonly user_id: number;
  readonly created_at: string;
  readonly used_at: string;
  /** The browser and its system, in words. */
  readonly device: string;
  /** Where it was last used from. */
  readonly address: string;
  /** Changes that waited there then; null where it has not told. */
  readonly waiting: number | null;
}

/** Invitations, and links to set a password; only their hash is kept. `user_id` is whose password it is. */
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

/** Passkeys, by the id that their device gave them. `transports` is a JSON list. */
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

/** Authenticator apps, one for a user at most. */
export interface AuthenticatorsTable {
  readonly user_id: number;
  /** Base32. */
  readonly secret: string;
  /** The step of time whose code was taken last. */
  readonly last_step: number;
  /** Wrong codes since the last right one, and when the last of them came. */
  readonly failures: number;
  readonly failed_at: string | null;
  readonly created_at: string;
}

/** Recovery codes that were not used; only their hash is kept. */
export interface RecoveryCodesTable {
  readonly hash: string;
  readonly user_id: number;
}

export interface RequirementsTable {
  readonly name: string;
  readonly since: string;
}

/** Random values made at the first start, by name. */
export interface SecretsTable {
  readonly name: string;
  readonly value: string;
}

/** The images with ids, of every kind of record in one table: ids are unique over all kinds. */
export interface ImagesTable {
  readonly id: Generated<number>;
  readonly resource: string;
  readonly record_id: number;
  readonly image: string;
}

/** Files that no row names any longer and that are to be removed from the disk. */
export interface RemovedFilesTable {
  readonly name: string;
}

/** While a hold lasts no file is removed: a running backup still reads them. */
export interface FileHoldsTable {
  readonly id: string;
  readonly until: string;
}

/** The answer to every change that took effect, by the key that its sender made for it. */
export interface IdempotencyKeysTable {
  readonly user_id: number;
  readonly key: string;
  readonly fingerprint: string;
  readonly status: number;
  readonly body: string;
  readonly created_at: string;
}

/** Values that a looked-up choice may have; `parent` is '' where the list depends on nothing. */
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
}

/** Everything that ever changed, once, with the number of its last change. Triggers write it (`feed-triggers.ts`). */
export interface FeedTable {
  readonly seq: Generated<number>;
  /** A kind of record, the site-wide settings, or the looked-up lists. */
  readonly subject: string;
  /** 0 where the subject is one thing. */
  readonly record_id: number;
}

/** What the table of every kind of record has; its fields are columns beside these. */
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
export type PasskeyRow = Selectable<PasskeysTable>;
/** A record's row: the common columns and one per field. */
export type RecordRow = Selectable<RecordTable> & Readonly<Record<string, string | number | null>>;

/** The table of a kind of record. All have the shape of `records`, which stands for them in types. */
export function tableOf(resource: AnyResource): 'records' {
  return resource.name.replaceAll('-', '_') as 'records';
}
