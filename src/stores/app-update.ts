import { create } from 'zustand';

/**
 * - `waiting`: a new version is there and waits for consent
 * - `taking`: it was agreed to here; the page keeps still until the new worker has taken over
 * - `taken`: it has taken over for another tab, or late; this page still runs the old
 */
export type UpdateState = 'none' | 'waiting' | 'taking' | 'taken';

/** Whether a new version of the app is there. */
export const useAppUpdate = create<{ readonly state: UpdateState }>()(() => ({ state: 'none' }));

/** The same outside of components. */
export function updateState(): UpdateState {
  return useAppUpdate.getState().state;
}

/** Notes what the worker's registration has told. */
export function noteUpdate(state: UpdateState): void {
  useAppUpdate.setState({ state });
}

/** Resolves when no exchange of versions is on: at once, as a rule. */
export async function noExchange(): Promise<void> {
  if (updateState() !== 'taking') return;
  await new Promise<void>((resolve) => {
    const stop = useAppUpdate.subscribe(() => {
      stop();
      resolve();
    });
  });
}
