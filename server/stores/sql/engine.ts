import type { AnyResource } from '../../../src/domain/resource.ts';
import type { BackupNotes } from '../../ops/last-backup.ts';
import type { Shared, SharedWorld } from '../../shared/shared.ts';
import type { FileStoreIn } from '../../uploads/file-store.ts';
import type { Running } from './running.ts';
import type { VersionedRecord } from '../store.ts';
import type { Database } from './tables.ts';
import type { SessionRow } from './tokens.ts';

/**
 * A database with what it does in its own way. Everything else this room says in SQL that every one of them reads the same: conditions
 * as 0 and 1 by CASE, texts in the order of their bytes, times as ISO 8601.
 */
export interface Engine {
  /** Transactions run one after the other, whoever began them: what one has read holds until it commits. */
  readonly db: Database;
  /** Changes under an idempotency key that are being carried out now. */
  readonly running: Running;
  /** Tells of changes. */
  readonly bell: Bell;
  /** Where the files last that are made and read in an uploads folder. */
  readonly filesOf: FileStoreIn;
  /** What servers on this database know together for a while. */
  sharedBy(world: SharedWorld): Shared;
  /** What is known of this installation's backups. */
  readonly backups: BackupNotes;
  /** Another text whenever anything that lists show has changed. */
  revision(): Promise<string>;
  /** How much is read of a database that is a server of its own with one question. Absent where it is in this process. */
  readonly remote?: RemoteReads;
  /** Rejects while the database can do nothing, or can only be read. */
  check(): Promise<unknown>;
  /** Bytes that the database takes. */
  size(): Promise<number>;
  close(): Promise<void>;
}

/** A question that saves the way of another one. */
export interface RemoteReads {
  /** A session by its token's hash, and with it a record as it is at the same moment; undefined where there is no such session. */
  sessionAndRecord(tokenHash: string, resource: AnyResource, id: number): Promise<SessionAndRecord | undefined>;
}

export interface SessionAndRecord {
  readonly session: SessionRow;
  /** Undefined where it is not there. */
  readonly record: VersionedRecord | undefined;
}

/** Tells whoever watches that there was a change. */
export interface Bell {
  /** After a change. Nothing is done where the database tells by itself. */
  ring(): void;
  /** Runs `told` behind every change. The returned function ends that. */
  watch(told: () => void): () => void;
}

/** A bell that is heard in this process. */
export function bellOfOwn(): Bell {
  const watchers = new Set<() => void>();
  return {
    ring: () => {
      for (const told of watchers) told();
    },
    watch(told) {
      watchers.add(told);
      return () => watchers.delete(told);
    },
  };
}
