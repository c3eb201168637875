import { useSyncExternalStore } from 'react';
import { createStore } from 'zustand/vanilla';

/** An observable value, usually a live query of the outbox. */
export interface Live<T> {
  value(): T | undefined;
  subscribe(listener: () => void): () => void;
}

/** Creates one that is set by its owner. */
export function openLive<T>(): Live<T> & { tell(value: T | undefined): void } {
  const store = createStore<{ readonly value: T | undefined }>()(() => ({ value: undefined }));
  return {
    value: () => store.getState().value,
    subscribe: (listener) => store.subscribe(listener),
    tell: (value) => store.setState({ value }),
  };
}

/** The current value of a live query, as a hook. */
export function useLive<T>(query: Live<T>): T | undefined {
  return useSyncExternalStore(query.subscribe, query.value);
}
