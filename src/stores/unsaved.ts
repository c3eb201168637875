import { useEffect, useId, useSyncExternalStore } from 'react';

/**
 * What would be lost by leaving: forms that differ from what is stored. It drives the question before a link, back, reload or
 * log-out, and keeps a new version of the app from reloading over somebody's work.
 */
const unsaved = new Map<string, string>();
const listeners = new Set<() => void>();

/** Announces (`what` is its name for people) or takes back (undefined) unsaved work under a key of the caller's choice. */
export function setUnsaved(key: string, what: string | undefined): void {
  if (what === undefined) unsaved.delete(key);
  else unsaved.set(key, what);
  for (const listener of listeners) listener();
}

/** Announces unsaved work for as long as the component is mounted and `dirty` is true. */
export function useUnsaved(dirty: boolean, what: string): void {
  const key = useId();
  useEffect(() => {
    setUnsaved(key, dirty ? what : undefined);
    return () => setUnsaved(key, undefined);
  }, [key, dirty, what]);
}

/** True while something would be lost by leaving. */
export function hasUnsavedWork(): boolean {
  return unsaved.size > 0;
}

/** The same for a component, followed. */
export function useHasUnsavedWork(): boolean {
  return useSyncExternalStore(watchUnsaved, hasUnsavedWork);
}

const staying = new Set<string>();

/** Announces for as long as `busy` is true that a form waits for its answer: nothing would be lost, and yet it is to stay. */
export function useStaying(busy: boolean): void {
  const key = useId();
  useEffect(() => {
    if (busy) staying.add(key);
    return () => {
      staying.delete(key);
    };
  }, [key, busy]);
}

/** True while a form is open that somebody works on, or that waits for its answer. */
export function isFormInUse(): boolean {
  return hasUnsavedWork() || staying.size > 0;
}

/** Forgets all of it: the administrator decided to leave. */
export function abandonUnsavedWork(): void {
  unsaved.clear();
  for (const listener of listeners) listener();
}

/** Calls back after every change. Returns how to stop. */
export function watchUnsaved(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
