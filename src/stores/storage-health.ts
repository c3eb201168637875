import { create } from 'zustand';

/** Whether the storage of this device answers. */
export const useStorageHealth = create<{ readonly stalled: boolean }>()(() => ({ stalled: false }));

/** Notes that it has not answered for a while, or answers again. */
export function noteStorage(stalled: boolean): void {
  useStorageHealth.setState({ stalled });
}
