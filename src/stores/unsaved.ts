import { useEffect, useId } from 'react';
import { create } from 'zustand';

interface Work {
  /** Forms whose content differs from what is stored. */
  readonly unsaved: ReadonlySet<string>;
  /** Forms that wait for an answer. Leaving would lose nothing, but they should stay open. */
  readonly staying: ReadonlySet<string>;
  /** The work was left without being given up: forms keep their drafts. */
  readonly setAside: boolean;
}

/**
 * Work that leaving would lose. It triggers the confirmation before a link, back, reload or log-out, and keeps an app update from
 * reloading the page.
 */
const useWork = create<Work>()(() => ({ unsaved: new Set(), staying: new Set(), setAside: false }));

/** Marks the work under a key of the caller's choice as unsaved or saved. */
export function setUnsaved(key: string, dirty: boolean): void {
  useWork.setState(({ unsaved }) => ({
    unsaved: marked(unsaved, key, dirty),
    ...(dirty && { setAside: false }),
  }));
}

/** Marks unsaved work while the component is mounted and `dirty` is true. */
export function useUnsaved(dirty: boolean): void {
  const key = useId();
  useEffect(() => {
    setUnsaved(key, dirty);
    return () => setUnsaved(key, false);
  }, [key, dirty]);
}

/** Marks a form as waiting for its answer while the component is mounted and `busy` is true. */
export function useStaying(busy: boolean): void {
  const key = useId();
  useEffect(() => {
    const stay = (now: boolean) => useWork.setState(({ staying }) => ({ staying: marked(staying, key, now) }));
    stay(busy);
    return () => stay(false);
  }, [key, busy]);
}

/** True while leaving would lose something. */
export function hasUnsavedWork(): boolean {
  return useWork.getState().unsaved.size > 0;
}

/** The same as a hook. */
export function useHasUnsavedWork(): boolean {
  return useWork(({ unsaved }) => unsaved.size > 0);
}

/** True while an open form has unsaved work or waits for its answer. */
export function isFormInUse(): boolean {
  return hasUnsavedWork() || useWork.getState().staying.size > 0;
}

/** Clears all unsaved work: the administrator decided to leave. Forms that wait for an answer stay marked. */
export function abandonUnsavedWork(): void {
  useWork.setState({ unsaved: new Set(), setAside: false });
}

/** Leaves all unsaved work without a question. Forms keep it in their drafts. */
export function setAsideUnsavedWork(): void {
  useWork.setState({ unsaved: new Set(), setAside: true });
}

/** True if the work that is no longer unsaved was set aside. */
export function isSetAside(): boolean {
  return useWork.getState().setAside;
}

/** Calls `listener` after every change. Returns an unsubscribe function. */
export function watchUnsaved(listener: () => void): () => void {
  return useWork.subscribe(listener);
}

function marked(keys: ReadonlySet<string>, key: string, isIn: boolean): ReadonlySet<string> {
  const others = [...keys].filter((other) => other !== key);
  return new Set(isIn ? [...others, key] : others);
}
