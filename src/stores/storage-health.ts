import { create } from 'zustand';

/** Whether this device's storage responds. */
export const useStorageHealth = create<{ readonly stalled: boolean }>()(() => ({ stalled: false }));

/** Records that storage has stalled, or responds again. */
export function noteStorage(stalled: boolean): void {
  useStorageHealth.setState({ stalled });
}
