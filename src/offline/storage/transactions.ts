import { Dexie, type PromiseExtended, type Table, type Transaction, type TransactionMode } from 'dexie';
import { StorageStalledError } from './errors.ts';

/**
 * Runs every transaction of the app: with a time limit, a reopen after a lost connection, and an abort when the page enters the
 * back/forward cache. WebKit keeps the transaction of a cached page open, which blocks the storage for all tabs until that page is
 * closed.
 */

/** Length of a step. Each step has its own timer, so that the sleep of a frozen page counts as one. Milliseconds. */
const STEP = 3_000;
/** After this many steps the storage is reported as stalled. */
const STALLED_AFTER = 3;
/** After this many steps a transaction is aborted. A save may write a hundred megabytes of photos to a slow disk. */
const GIVEN_UP_AFTER: Readonly<Record<'read' | 'write', number>> = { read: 7, write: 20 };

const LOST_CONNECTION = new Set(['DatabaseClosedError', 'InvalidStateError', 'UnknownError']);

/** Aborted because the page entered the back/forward cache. Runs again when the page is restored. */
class PutAwayError extends Error {
  override readonly name = 'PutAwayError';
}

interface Ongoing {
  stalled: boolean;
  giveUp(failure: Error): void;
}

const ongoing = new Set<Ongoing>();

/**
 * Runs `work` in a transaction, or as part of the current one. Reopens a connection that the browser has dropped (memory pressure,
 * a restored tab) once. `work` must be safe to run twice then, since the first run may have completed. Throws StorageStalledError
 * at the time limit, with nothing written.
 */
export async function transact<T>(
  database: Dexie,
  mode: TransactionMode,
  tables: readonly Table[],
  work: () => Promise<T>,
): Promise<T> {
  if (Dexie.currentTransaction !== null) return database.transaction(mode, [...tables], work);
  // Dexie's promises instead of `await`: they preserve the live query that this may run in.
  const run = (mayReopen: boolean): PromiseExtended<T> =>
    begin(database, mode, tables, work).catch((failure: unknown) => {
      if (failure instanceof PutAwayError) return pageIsBack().then(() => run(mayReopen));
      if (!mayReopen || !(failure instanceof Error) || !LOST_CONNECTION.has(failure.name)) throw failure;
      return reopened(database).then(() => run(false));
    });
  return run(true);
}

function begin<T>(
  database: Dexie,
  mode: TransactionMode,
  tables: readonly Table[],
  work: () => Promise<T>,
): PromiseExtended<T> {
  if (putAway !== undefined) return Dexie.Promise.reject(new PutAwayError());
  return new Dexie.Promise<T>((resolve, reject) => {
    let transaction: Transaction | undefined;
    let givenUp: Error | undefined;
    const one: Ongoing = {
      stalled: false,
      giveUp: (failure) => {
        givenUp = failure;
        if (transaction === undefined || isAborted(transaction)) reject(failure);
      },
    };
    const settle = watched(one, GIVEN_UP_AFTER[mode.startsWith('rw') ? 'write' : 'read']);
    database
      // Must be an async function: Dexie keeps a transaction open across awaits only in those.
      .transaction(mode, [...tables], async () => {
        transaction = Dexie.currentTransaction;
        // Aborted before the database was open.
        if (givenUp !== undefined) throw givenUp;
        return work();
      })
      .finally(settle)
      .then(resolve, reject);
  }) as PromiseExtended<T>;
}

/** Aborts a transaction. False if it is already completing; its own end then gives the result. */
function isAborted(transaction: Transaction): boolean {
  try {
    transaction.abort();
    return true;
  } catch {
    return false;
  }
}

/** Tracks the time of a transaction. Returns a function to call at its end. */
function watched(one: Ongoing, mostSteps: number): () => void {
  let steps = 0;
  let timer: ReturnType<typeof setTimeout>;
  const step = () => {
    steps += 1;
    if (steps === STALLED_AFTER) note(one, true);
    if (steps >= mostSteps) one.giveUp(new StorageStalledError());
    timer = setTimeout(step, STEP);
  };
  timer = setTimeout(step, STEP);
  ongoing.add(one);
  return () => {
    clearTimeout(timer);
    ongoing.delete(one);
    note(one, false);
  };
}

let tellStalled: (stalled: boolean) => void = () => {};
let isStalled = false;

/** Calls `told` when the storage stops responding, and when it responds again. */
export function watchStorage(told: (stalled: boolean) => void): void {
  tellStalled = told;
}

function note(one: Ongoing, stalled: boolean): void {
  one.stalled = stalled;
  const now = [...ongoing].some((other) => other.stalled);
  if (now === isStalled) return;
  isStalled = now;
  tellStalled(now);
}

/** Set while the page is in the back/forward cache. `over` resolves when it is restored. */
let putAway: { readonly over: Promise<void>; readonly end: () => void } | undefined;

/**
 * Aborts open transactions whenever the page enters the back/forward cache, and reruns them when it is restored. For an engine that
 * keeps the transactions of cached pages open.
 */
export function leaveNothingOpen(page: EventTarget): void {
  page.addEventListener('pagehide', (event) => {
    if (!(event as Event & { readonly persisted?: boolean }).persisted) return;
    let end = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    putAway = { over, end };
    for (const one of ongoing) one.giveUp(new PutAwayError());
  });
  page.addEventListener('pageshow', () => {
    putAway?.end();
    putAway = undefined;
  });
}

function pageIsBack(): PromiseExtended<void> {
  return Dexie.Promise.resolve(putAway?.over) as PromiseExtended<void>;
}

const reopening = new WeakMap<Dexie, PromiseExtended<Dexie>>();

/** Reopens a connection. Concurrent callers share one reopen: another close would cancel it. */
function reopened(database: Dexie): PromiseExtended<Dexie> {
  const current = reopening.get(database);
  if (current !== undefined) return current;
  database.close();
  const opening = database.open().finally(() => reopening.delete(database));
  reopening.set(database, opening);
  return opening;
}
