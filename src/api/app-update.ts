/** `waiting`: a new version is there and waits for consent. `taken`: another tab has agreed to it; this one still runs the old. */
export type UpdateState = 'none' | 'waiting' | 'taken';

let state: UpdateState = 'none';
const listeners = new Set<() => void>();

/** Whether a new version of the app is there. */
export function updateState(): UpdateState {
  return state;
}

/** Calls `listener` when that changes. Answers how to stop. */
export function onUpdateState(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Notes what the worker's registration has told. */
export function noteUpdate(now: UpdateState): void {
  state = now;
  for (const listener of listeners) listener();
}
