import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { Language } from '../language/languages.ts';

/** Preferences about how the app looks and starts. */
export interface Comforts {
  /** The route that the app opens with. */
  readonly landing: string;
  /** Compact list rows, so that more fit on the screen. */
  readonly dense: boolean;
  /** Larger controls and rows, for gloves. */
  readonly large: boolean;
  /** Places the most used controls within reach of the left thumb. */
  readonly leftHanded: boolean;
  /** Undefined until one is chosen. */
  readonly language?: Language | undefined;
}

interface Preferences extends Comforts {
  /** Sidebar groups that the administrator opened, by resource name. */
  readonly openGroups: readonly string[];
  /** The install hint is hidden until then. Epoch milliseconds. */
  readonly installHintAfter: number;
}

export const UNTOUCHED: Preferences = {
  openGroups: [],
  installHintAfter: 0,
  landing: '/',
  dense: false,
  large: false,
  leftHanded: false,
};

/** The storage key while nobody is signed in. Older versions kept the preferences of everyone on a device under it. */
export const SHARED_KEY = 'voltdesk.preferences';

/** The signed-in user's preferences on this device. Each user has their own. */
export const usePreferences = create<Preferences>()(
  persist((): Preferences => UNTOUCHED, {
    name: SHARED_KEY,
    // The state in memory may be another user's: only what is stored counts.
    merge: (stored) => ({ ...UNTOUCHED, ...(stored as Partial<Preferences> | undefined) }),
  }),
);

/** Opens or closes a group of the sidebar. */
export function toggleGroup(name: string): void {
  usePreferences.setState(({ openGroups }) => ({
    openGroups: openGroups.includes(name) ? openGroups.filter((open) => open !== name) : [...openGroups, name],
  }));
}

/** Mirrors the preferences that style sheets need to `data-large` and `data-left` on the root element. */
export function followComforts(): void {
  const follow = ({ large, leftHanded }: Comforts) => {
    document.documentElement.toggleAttribute('data-large', large);
    document.documentElement.toggleAttribute('data-left', leftHanded);
  };
  follow(usePreferences.getState());
  usePreferences.subscribe(follow);
}
