/**
 * - `waiting`: a new version is there and waits for consent
 * - `taking`: it was agreed to here; the page keeps still until the new worker has taken over
 * - `taken`: another tab has agreed to it; this one still runs the old
 */
export type UpdateState = 'none' | 'waiting' | 'taking' | 'taken';

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

/** Resolves when no exchange of versions is on: at once, as a rule. */
export async function noExchange(): Promise<void> {
  if (state !== 'taking') return;
  await new Promise<void>((resolve) => {
    const stop = onUpdateState(() => {
      stop();
      resolve();
    });
  });
}
