/** The internals of fake-indexeddb that a world hooks into. Its names begin with an underscore, hence the brackets. */

export interface RawRecord {
  readonly key: unknown;
  value: unknown;
}

export interface RawStore {
  readonly name: string;
  readonly records: { values(): Iterable<RawRecord> };
  readonly rawIndexes: Map<string, { readonly records: { clear(): void }; storeRecord(record: RawRecord): void }>;
  readonly keyGenerator: { num: number } | null;
  clear(): void;
}

export interface RawDatabase {
  transactions: RawTransaction[];
  connections: RawConnection[];
  readonly rawObjectStores: Map<string, RawStore>;
  processTransactions(): void;
}

export interface RawConnection {
  ['_closed']: boolean;
  ['_closePending']: boolean;
  readonly ['_rawDatabase']: RawDatabase;
  close(): void;
}

export interface RawTransaction {
  readonly db: RawConnection;
  readonly mode: string;
  ['_state']: string;
  ['_started']: boolean;
  ['_rollbackLog']: (() => void)[];
  ['_start'](): void;
}

export interface RawFactory extends IDBFactory {
  ['_databases']: Map<string, RawDatabase>;
}
