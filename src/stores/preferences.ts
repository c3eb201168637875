import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { Language } from '../language/languages.ts';

/** How somebody likes to work. */
export interface Comforts {
  /** The screen that the app opens with: a route. */
  readonly landing: string;
  /** Rows of lists are lower: more of them are in sight. */
  readonly dense: boolean;
  /** Controls and rows are larger: for gloves. */
  readonly large: boolean;
  /** What a thumb presses most is on the left. */
  readonly leftHanded: boolean;
  /** Undefined while none was chosen. */
  readonly language?: Language | undefined;
}

interface Preferences extends Comforts {
  /** Sidebar groups that the administrator opened, by resource name. */
  readonly openGroups: readonly string[];
  /** Epoch milliseconds until which the install hint stays away. */
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

/** Where what somebody chose is kept while nobody is signed in, and where it was kept for all who share a device. */
export const SHARED_KEY = 'voltdesk.preferences';

/** How the one who is signed in likes this device's screens. Kept on the device, for each person. */
export const usePreferences = create<Preferences>()(persist((): Preferences => UNTOUCHED, { name: SHARED_KEY }));

/** Opens or closes a group of the sidebar. */
export function toggleGroup(name: string): void {
  usePreferences.setState(({ openGroups }) => ({
    openGroups: openGroups.includes(name) ? openGroups.filter((open) => open !== name) : [...openGroups, name],
  }));
}

/** Makes the page's style sheets follow what somebody likes: `data-large` and `data-left` on the document's element. */
export function followComforts(): void {
  const follow = ({ large, leftHanded }: Comforts) => {
    document.documentElement.toggleAttribute('data-large', large);
    document.documentElement.toggleAttribute('data-left', leftHanded);
  };
  follow(usePreferences.getState());
  usePreferences.subscribe(follow);
}
