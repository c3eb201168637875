import { create } from 'zustand';

/**
 * - `waiting`: a new version is installed and waits for consent
 * - `taking`: this page has consented and sends nothing until the new worker has taken over
 * - `taken`: it has taken over for another tab, or late; this page still runs the old version
 */
export type UpdateState = 'none' | 'waiting' | 'taking' | 'taken';

/** Whether a new version of the app is available. */
export const useAppUpdate = create<{ readonly state: UpdateState }>()(() => ({ state: 'none' }));

/** The same outside components. */
export function updateState(): UpdateState {
  return useAppUpdate.getState().state;
}

/** Records the state reported by the worker's registration. */
export function noteUpdate(state: UpdateState): void {
  useAppUpdate.setState({ state });
}

/** Resolves when no worker handover is running, which is usually at once. */
export async function handoverFinished(): Promise<void> {
  if (updateState() !== 'taking') return;
  await new Promise<void>((resolve) => {
    const stop = useAppUpdate.subscribe(() => {
      stop();
      resolve();
    });
  });
}
