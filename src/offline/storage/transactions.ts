import { Dexie, type PromiseExtended, type Table, type Transaction, type TransactionMode } from 'dexie';
import { StorageStalledError } from './errors.ts';

/**
 * Every transaction of this app runs here: it is given a time limit, opened again after a lost connection, and never left open in
 * a page that is put away. WebKit keeps a page in its back/forward cache with its transaction open, and that blocks the storage
 * for all tabs until the page is closed.
 */

/** Time is counted in steps, each a timer of its own: one that a frozen page has slept through counts once. Milliseconds. */
const STEP = 3_000;
/** After so many steps people are told that the storage does not answer. */
const STALLED_AFTER = 3;
/** After so many a transaction is given up. A save may bring a hundred megabytes of photos to a slow disk. */
const GIVEN_UP_AFTER: Readonly<Record<'read' | 'write', number>> = { read: 7, write: 20 };

const LOST_CONNECTION = new Set(['DatabaseClosedError', 'InvalidStateError', 'UnknownError']);

/** Aborted because its page was put away: it runs again when the page is back. */
class PutAwayError extends Error {
  override readonly name = 'PutAwayError';
}

interface Ongoing {
  stalled: boolean;
  giveUp(failure: Error): void;
}

const ongoing = new Set<Ongoing>();

/**
 * Runs `work` as one transaction, or as part of the one it is called in. A connection that the browser has dropped (memory
 * pressure, a restored tab) is opened again, once; `work` may then run twice and has to bear that: the first run may have been
 * completed. Throws StorageStalledError at the time limit: nothing was written then.
 */
export async function transact<T>(
  database: Dexie,
  mode: TransactionMode,
  tables: readonly Table[],
  work: () => Promise<T>,
): Promise<T> {
  const run = () => begin(database, mode, tables, work);
  if (Dexie.currentTransaction !== null) return database.transaction(mode, [...tables], work);
  // Dexie's own promises, no `await`: they keep to the live query that this may run in
  return run().catch((failure: unknown) => {
    if (failure instanceof PutAwayError) return pageIsBack().then(run);
    if (!(failure instanceof Error) || !LOST_CONNECTION.has(failure.name)) throw failure;
    return reopened(database).then(run);
  });
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
      // an async function: Dexie keeps a transaction open over the awaits of such ones only
      .transaction(mode, [...tables], async () => {
        transaction = Dexie.currentTransaction;
        // it was given up before the database was open
        if (givenUp !== undefined) throw givenUp;
        return work();
      })
      .finally(settle)
      .then(resolve, reject);
  }) as PromiseExtended<T>;
}

/** False for one that is being completed at this moment: its own end tells how it went. */
function isAborted(transaction: Transaction): boolean {
  try {
    transaction.abort();
    return true;
  } catch {
    return false;
  }
}

/** Counts a transaction's time. Answers what to call at its end. */
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

/** Calls `told` when the storage has not answered for a while, and when it answers again. */
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

/** Set while the page is in the back/forward cache: resolves when it is back. */
let putAway: { readonly over: Promise<void>; readonly end: () => void } | undefined;

/**
 * From now on nothing stays open in a page that its browser puts away: it is aborted and runs again when the page is back. For an
 * engine that keeps transactions open in its back/forward cache.
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

/** Opens a connection anew, one for all who have lost theirs at the same time: to close it again would end the opening. */
function reopened(database: Dexie): PromiseExtended<Dexie> {
  const current = reopening.get(database);
  if (current !== undefined) return current;
  database.close();
  const opening = database.open().finally(() => reopening.delete(database));
  reopening.set(database, opening);
  return opening;
}
