import { liveQuery } from 'dexie';
import { useSyncExternalStore } from 'react';
import type { Identities } from '../domain/outbox/overlay.ts';
import type { OutboxEntry } from '../domain/outbox/vocabulary.ts';
import { identities, pendingEntries, type QueueState, queueState, receipts } from '../offline/queries.ts';

/** A query of the outbox whose answer follows the database, shared by everything that looks at it. */
export interface Live<T> {
  value(): T | undefined;
  subscribe(listener: () => void): () => void;
}

function live<T>(query: () => Promise<T>): Live<T> {
  let value: T | undefined;
  let stop: (() => void) | undefined;
  const listeners = new Set<() => void>();

  function start(): void {
    const watching = liveQuery(query).subscribe({
      next: (answer) => {
        value = answer;
        for (const listener of listeners) listener();
      },
      error: (failure: unknown) => console.error('The outbox cannot be watched.', failure),
    });
    stop = () => watching.unsubscribe();
  }

  return {
    value: () => value,
    subscribe(listener) {
      listeners.add(listener);
      if (stop === undefined) start();
      // A query that was once asked goes on: the next screen has its answer at once.
      return () => listeners.delete(listener);
    },
  };
}

export const liveEntries: Live<OutboxEntry[]> = live(() => pendingEntries());
const liveReceipts: Live<OutboxEntry[]> = live(() => receipts());
export const liveQueueState: Live<QueueState> = live(() => queueState());
export const liveIdentities: Live<Identities> = live(() => identities());

/** The signed-in administrator's changes that are not done, in order. Undefined until the device has been asked. */
export function useEntries(): OutboxEntry[] | undefined {
  return useLive(liveEntries);
}

/** The signed-in administrator's confirmed changes, newest first. */
export function useReceipts(): OutboxEntry[] | undefined {
  return useLive(liveReceipts);
}

/** The queue as a whole. */
export function useQueueState(): QueueState | undefined {
  return useLive(liveQueueState);
}

/** The server's ids of records that were made on this device. */
export function useIdentities(): Identities | undefined {
  return useLive(liveIdentities);
}

/** What a query says now, followed. */
export function useLive<T>(query: Live<T>): T | undefined {
  return useSyncExternalStore(query.subscribe, query.value);
}
