import { useSyncExternalStore } from 'react';
import type { Identities } from '../domain/outbox/overlay.ts';
import type { OutboxEntry } from '../domain/outbox/vocabulary.ts';
import type { QueueState } from '../offline/queries.ts';
import { type Device, device } from './device.ts';

/** A query of the outbox whose answer follows the database, shared by everything that looks at it. */
export interface Live<T> {
  value(): T | undefined;
  subscribe(listener: () => void): () => void;
}

function live<T>(query: (offline: Device) => Promise<T>): Live<T> {
  let value: T | undefined;
  let started = false;
  const listeners = new Set<() => void>();

  function take(answer: T): void {
    value = answer;
    for (const listener of listeners) listener();
  }

  async function start(): Promise<void> {
    started = true;
    try {
      const opened = await device();
      opened.watch(() => query(opened), take, cannotBeWatched);
    } catch (failure) {
      started = false;
      cannotBeWatched(failure);
    }
  }

  return {
    value: () => value,
    subscribe(listener) {
      listeners.add(listener);
      if (!started) void start();
      // A query that was once asked goes on: the next screen has its answer at once.
      return () => listeners.delete(listener);
    },
  };
}

export const liveEntries: Live<OutboxEntry[]> = live((offline) => offline.pendingEntries());
const liveReceipts: Live<OutboxEntry[]> = live((offline) => offline.receipts());
export const liveQueueState: Live<QueueState> = live((offline) => offline.queueState());
export const liveIdentities: Live<Identities> = live((offline) => offline.identities());

function cannotBeWatched(failure: unknown): void {
  console.error('The outbox cannot be watched.', failure);
}

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
