import type { AnyResource } from '../../../src/domain/resource.ts';
import type { BackupNotes } from '../../ops/last-backup.ts';
import type { Shared, SharedWorld } from '../../shared/shared.ts';
import type { FileStoreIn } from '../../uploads/file-store.ts';
import type { Running } from './running.ts';
import type { VersionedRecord } from '../store.ts';
import type { Database, Writing } from './tables.ts';
import type { SessionRow } from './tokens.ts';

/**
 * A database with its own ways of doing things. All other code here uses SQL that every engine reads alike: conditions as 0
 * and 1 by CASE, texts in byte order, times as ISO 8601.
 */
export interface Engine {
  /** Transactions are serialized, whoever starts them: what one has read holds until it commits. */
  readonly db: Database;
  /** Counts an id that a row of the table was given: the next one is higher. */
  countId(writing: Writing, table: string, id: number): Promise<void>;
  /** Changes in flight, by idempotency key. */
  readonly running: Running;
  /** Announces changes. */
  readonly bell: Bell;
  /**
   * Calls `task` after every reconnection, which may lead to another state of the database: a standby that took over, or a copy that
   * was put back. Repeated until it succeeds. Never called for a database in this process.
   */
  onReconnect(task: () => Promise<void>): void;
  /** The durable storage of files that are written and read in an uploads folder. */
  readonly filesOf: FileStoreIn;
  /** Short-lived state that all servers of this database share. */
  sharedBy(world: SharedWorld): Shared;
  /** Records of this installation's backups. */
  readonly backups: BackupNotes;
  /** Changes whenever anything that lists show has changed. */
  revision(): Promise<string>;
  /** The same at once. Absent if the database is not in this process. */
  revisionNow?(): string;
  /** Combined reads for a database on a server of its own. Absent if it runs in this process. */
  readonly remote?: RemoteReads;
  /** Identifies this database among copies of it. Undefined if nothing does. */
  identity(): Promise<string | undefined>;
  /** Says how far the clock of this server, in epoch milliseconds, is from that of its database. Undefined if they agree. */
  clockProblem(now: number): Promise<string | undefined>;
  /** Rejects while the database is unusable or read-only. */
  check(): Promise<unknown>;
  /** The size of the database in bytes. */
  size(): Promise<number>;
  close(): Promise<void>;
}

/** A combined read, which saves a round trip. */
export interface RemoteReads {
  /** A session by the hash of its token, and a record as of the same moment. Undefined if there is no such session. */
  sessionAndRecord(tokenHash: string, resource: AnyResource, id: number): Promise<SessionAndRecord | undefined>;
}

export interface SessionAndRecord {
  readonly session: SessionRow;
  /** Undefined if it does not exist. */
  readonly record: VersionedRecord | undefined;
}

/** Notifies watchers of changes. */
export interface Bell {
  /** Called after a change. Does nothing if the database notifies by itself. */
  ring(): void;
  /** Calls `told` after every change. Returns a function that stops it. */
  watch(told: () => void): () => void;
}

/** A bell within this process. */
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
