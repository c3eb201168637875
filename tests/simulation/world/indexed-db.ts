import { Dexie } from 'dexie';
import type { OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import {
  forceCloseDatabase,
  IDBFactory as FakeFactory,
  IDBKeyRange as FakeKeyRange,
  IDBObjectStore as FakeObjectStore,
  IDBOpenDBRequest as FakeOpenRequest,
  IDBTransaction as FakeTransaction,
} from 'fake-indexeddb';
import type { RawConnection, RawDatabase, RawFactory, RawStore, RawTransaction } from './raw-indexed-db.ts';
import type { Lane, Scheduler } from './scheduler.ts';

/** How often a closing connection checks whether it can close. Milliseconds. */
const LOOK_AGAIN = 10;

/** The outbox's table of changes. No other database has a table of this name. */
const ENTRIES = 'entries';

/** The world whose databases are in use. Transactions of fake-indexeddb belong to it only by name. */
let world: IndexedDbWorld | undefined;

function take(next: IndexedDbWorld): void {
  world = next;
}

/**
 * The IndexedDB of a browser profile, shared by its pages and its worker. Every connection belongs to a lane and runs in
 * that lane's tasks, so that a killed lane's transactions roll back and its later writes have no effect.
 */
export class IndexedDbWorld {
  /** While true the quota is exhausted: every write that stores something fails. */
  full = false;
  /**
   * Called for every outbox entry when it is written, which may be later than requested: transactions wait for one another.
   */
  onEntry: (entry: OutboxEntry) => void = () => undefined;
  /** How often the browser has cleared the storage. */
  wipes = 0;
  readonly #scheduler: Scheduler;
  readonly #system: Lane = { name: 'storage', alive: true };
  readonly #databases = new Map<string, RawDatabase>();
  readonly #owners = new WeakMap<RawConnection, Lane>();

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
    take(this);
    forgetWatchers();
  }

  /** IndexedDB as seen by one lane, for Dexie's options. */
  for(lane: Lane): { indexedDB: IDBFactory; IDBKeyRange: typeof IDBKeyRange } {
    const factory = new FakeFactory() as RawFactory;
    factory['_databases'] = this.#databases;
    const open = factory.open.bind(factory);
    const owner = (connection: RawConnection) => this.#own(connection, lane);
    factory.open = (name, version) => {
      // Remaining code of a killed page may call this. It never gets an answer.
      if (!lane.alive) return new FakeOpenRequest();
      const request = version === undefined ? open(name) : open(name, version);
      const claim = () => owner(request.result as unknown as RawConnection);
      request.addEventListener('upgradeneeded', claim);
      request.addEventListener('success', claim);
      return request;
    };
    return { indexedDB: factory, IDBKeyRange: FakeKeyRange };
  }

  /** Rolls back what a lane that is gone had not committed. */
  kill(lane: Lane): void {
    for (const database of this.#databases.values()) {
      const own = database.transactions.filter(({ db }) => this.#owners.get(db) === lane);
      for (const transaction of own) rollBack(transaction);
      database.transactions = database.transactions.filter((one) => !own.includes(one));
      for (const connection of this.#connectionsOf(database, lane)) {
        connection['_closePending'] = true;
        connection['_closed'] = true;
      }
      database.connections = database.connections.filter((one) => this.#owners.get(one) !== lane);
      for (let i = 0; i <= database.transactions.length; i += 1) database.processTransactions();
    }
  }

  /** The browser drops a lane's connections, as under memory pressure. Its next use has to open a new one. */
  dropConnections(lane: Lane): void {
    for (const database of this.#databases.values()) {
      for (const connection of this.#connectionsOf(database, lane)) {
        this.#scheduler.soon(() => this.#close(connection, lane, () => forceClose(connection)), lane);
      }
    }
  }

  /** The browser clears all storage. */
  wipe(): void {
    this.wipes += 1;
    for (const database of this.#databases.values()) {
      for (const transaction of database.transactions) rollBack(transaction);
      database.transactions = [];
      for (const store of database.rawObjectStores.values()) {
        store.clear();
        if (store.keyGenerator !== null) store.keyGenerator.num = 0;
      }
      for (const connection of database.connections) {
        const lane = this.#owners.get(connection);
        if (lane?.alive) this.#scheduler.soon(() => this.#close(connection, lane, () => forceClose(connection)), lane);
      }
    }
  }

  /** The current rows of a store, including uncommitted ones. */
  rows<T>(database: string, store: string): T[] {
    return [...this.#store(database, store).records.values()].map(({ value }) => value as T);
  }

  /** Changes stored rows without anyone's knowledge, as disk corruption or an older version of the app would. */
  alter<T>(database: string, store: string, change: (row: T) => T): void {
    const { records, rawIndexes } = this.#store(database, store);
    for (const record of records.values()) record.value = change(record.value as T);
    for (const index of rawIndexes.values()) {
      index.records.clear();
      for (const record of records.values()) index.storeRecord(record);
    }
  }

  /** True while a readwrite transaction is open. */
  get writing(): boolean {
    return [...this.#databases.values()].some(({ transactions }) =>
      transactions.some((one) => one['_started'] && one['_state'] !== 'finished' && one.mode !== 'readonly'),
    );
  }

  /** Continues a transaction in its lane's time. True if it was postponed until then. */
  defers(transaction: RawTransaction): boolean {
    const owner = this.#owners.get(transaction.db);
    if (owner === undefined || owner === this.#scheduler.current) return false;
    transaction['_started'] = true;
    this.#scheduler.soon(() => transaction['_start'](), owner);
    return true;
  }

  #own(connection: RawConnection, lane: Lane): void {
    this.#owners.set(connection, lane);
    if (!Object.hasOwn(connection, 'close')) {
      const shut = connection.close.bind(connection);
      connection.close = () => this.#close(connection, lane, shut);
    }
    const database = connection['_rawDatabase'];
    if (Object.hasOwn(database, 'inSystemTime')) return;
    const process = database.processTransactions;
    const inSystemTime = () => this.#scheduler.soon(process, this.#system);
    Object.assign(database, { inSystemTime: true, processTransactions: inSystemTime });
  }

  /**
   * Accepts no more transactions, and closes when all are over. While a page with an open one is frozen, the library would
   * check this in every task, without end and without time passing.
   */
  #close(connection: RawConnection, lane: Lane, shut: () => void): void {
    connection['_closePending'] = true;
    const busy = connection['_rawDatabase'].transactions.some((one) => one['_state'] !== 'finished');
    if (busy) this.#scheduler.after(LOOK_AGAIN, () => this.#close(connection, lane, shut), lane);
    else shut();
  }

  #connectionsOf(database: RawDatabase, lane: Lane): RawConnection[] {
    return database.connections.filter((connection) => this.#owners.get(connection) === lane);
  }

  #store(database: string, store: string): RawStore {
    const found = this.#databases.get(database)?.rawObjectStores.get(store);
    if (found === undefined) throw new Error(`There is no store ${store} in ${database}.`);
    return found;
  }
}

function rollBack(transaction: RawTransaction): void {
  if (transaction['_state'] === 'finished') return;
  for (const undo of transaction['_rollbackLog'].toReversed()) undo();
  transaction['_rollbackLog'] = [];
  transaction['_state'] = 'finished';
}

function forceClose(connection: RawConnection): void {
  forceCloseDatabase(connection as unknown as Parameters<typeof forceCloseDatabase>[0]);
}

/** Prevents live queries of finished worlds from running again. */
function forgetWatchers(): void {
  const { storagemutated } = Dexie.on as unknown as Record<string, { subscribers: unknown[]; fire: () => void }>;
  if (storagemutated !== undefined) Object.assign(storagemutated, { subscribers: [], fire: () => undefined });
}

const transactions = FakeTransaction.prototype as unknown as RawTransaction & {
  ['_execRequestAsync'](request: { operation: () => unknown }): unknown;
};
const start = transactions['_start'];
transactions['_start'] = function begin(this: RawTransaction): void {
  if (world?.defers(this) !== true) start.call(this);
};

/** Set while a store executes `put` or `add`. */
let told: (() => void) | undefined;
const execute = transactions['_execRequestAsync'];
transactions['_execRequestAsync'] = function request(given: { operation: () => unknown }): unknown {
  const before = told;
  if (before === undefined) return execute.call(this, given);
  const operation = () => {
    before();
    return given.operation();
  };
  return execute.call(this, { ...given, operation });
};

/** Returns what runs when the row is written. The quota is checked at the time of the call. */
function beforeKeeping(store: string, row: unknown): () => void {
  if (world?.full === true) {
    return () => {
      throw new DOMException('There is no room left.', 'QuotaExceededError');
    };
  }
  return () => {
    if (store === ENTRIES) world?.onEntry(row as OutboxEntry);
  };
}

const stores = FakeObjectStore.prototype;
for (const method of ['put', 'add'] as const) {
  const keep = stores[method];
  stores[method] = function store(this: IDBObjectStore, ...given: Parameters<typeof keep>) {
    told = beforeKeeping(this.name, given[0]);
    try {
      return keep.apply(this, given);
    } finally {
      told = undefined;
    }
  };
}

Dexie.dependencies = { indexedDB: new FakeFactory(), IDBKeyRange: FakeKeyRange };
