import { useSyncExternalStore } from 'react';
import { createStore } from 'zustand/vanilla';

/** A value that is followed by everything that looks at it: as a rule a query of the outbox, whose answer follows the database. */
export interface Live<T> {
  value(): T | undefined;
  subscribe(listener: () => void): () => void;
}

/** One that is told what to say. */
export function openLive<T>(): Live<T> & { tell(value: T): void } {
  const store = createStore<{ readonly value: T | undefined }>()(() => ({ value: undefined }));
  return {
    value: () => store.getState().value,
    subscribe: (listener) => store.subscribe(listener),
    tell: (value) => store.setState({ value }),
  };
}

/** What a query says now, followed. */
export function useLive<T>(query: Live<T>): T | undefined {
  return useSyncExternalStore(query.subscribe, query.value);
}
