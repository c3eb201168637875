import { useEffect, useId } from 'react';
import { create } from 'zustand';

interface Work {
  /** Forms that differ from what is stored. */
  readonly unsaved: ReadonlySet<string>;
  /** Forms that wait for their answer: nothing would be lost, and yet they are to stay. */
  readonly staying: ReadonlySet<string>;
}

/**
 * What would be lost by leaving. It drives the question before a link, back, reload or log-out, and keeps a new version of the
 * app from reloading over somebody's work.
 */
const useWork = create<Work>()(() => ({ unsaved: new Set(), staying: new Set() }));

/** Announces unsaved work, or takes it back, under a key of the caller's choice. */
export function setUnsaved(key: string, dirty: boolean): void {
  useWork.setState(({ unsaved }) => ({ unsaved: marked(unsaved, key, dirty) }));
}

/** Announces unsaved work for as long as the component is mounted and `dirty` is true. */
export function useUnsaved(dirty: boolean): void {
  const key = useId();
  useEffect(() => {
    setUnsaved(key, dirty);
    return () => setUnsaved(key, false);
  }, [key, dirty]);
}

/** Announces for as long as `busy` is true that a form waits for its answer. */
export function useStaying(busy: boolean): void {
  const key = useId();
  useEffect(() => {
    const stay = (now: boolean) => useWork.setState(({ staying }) => ({ staying: marked(staying, key, now) }));
    stay(busy);
    return () => stay(false);
  }, [key, busy]);
}

/** True while something would be lost by leaving. */
export function hasUnsavedWork(): boolean {
  return useWork.getState().unsaved.size > 0;
}

/** The same for a component, followed. */
export function useHasUnsavedWork(): boolean {
  return useWork(({ unsaved }) => unsaved.size > 0);
}

/** True while a form is open that somebody works on, or that waits for its answer. */
export function isFormInUse(): boolean {
  return hasUnsavedWork() || useWork.getState().staying.size > 0;
}

/** Forgets all of it: the administrator decided to leave. */
export function abandonUnsavedWork(): void {
  useWork.setState({ unsaved: new Set() });
}

/** Calls back after every change. Returns how to stop. */
export function watchUnsaved(listener: () => void): () => void {
  return useWork.subscribe(listener);
}

function marked(keys: ReadonlySet<string>, key: string, isIn: boolean): ReadonlySet<string> {
  const others = [...keys].filter((other) => other !== key);
  return new Set(isIn ? [...others, key] : others);
}
