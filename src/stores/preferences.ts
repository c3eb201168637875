import { create } from 'zustand';
import { persist } from 'zustand/middleware';

interface Preferences {
  /** Sidebar groups that the administrator opened, by resource name. */
  readonly openGroups: readonly string[];
  /** Epoch milliseconds until which the install hint stays away. */
  readonly installHintAfter: number;
}

/** How this administrator likes this device's screens. Kept on the device. */
export const usePreferences = create<Preferences>()(
  persist((): Preferences => ({ openGroups: [], installHintAfter: 0 }), { name: 'voltdesk.preferences' }),
);

/** Opens or closes a group of the sidebar. */
export function toggleGroup(name: string): void {
  usePreferences.setState(({ openGroups }) => ({
    openGroups: openGroups.includes(name) ? openGroups.filter((open) => open !== name) : [...openGroups, name],
  }));
}
