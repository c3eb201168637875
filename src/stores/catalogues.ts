import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { ResourceName } from '../domain/resource.ts';

/** One record whose catalogue somebody asked to keep, as it was last known. */
export interface KeptRecord {
  readonly resource: ResourceName;
  readonly id: number;
  readonly title: string;
  readonly address: string;
}

/** What somebody asked to keep on this device: all catalogues of some kinds, and those of single records. */
export interface Wishes {
  readonly kinds: readonly ResourceName[];
  readonly records: readonly KeptRecord[];
}

const KEY = 'voltdesk.catalogues';
const NONE: Wishes = { kinds: [], records: [] };

/** Kept outside the databases: a device that gives its copies up for a save still knows what to fetch again. */
export const useWishes = create<Wishes>()(persist(() => NONE, { name: KEY }));

/** Changes what is asked for, upon what other tabs have made of it. */
export async function changeWishes(change: (wishes: Wishes) => Wishes): Promise<void> {
  await useWishes.persist.rehydrate();
  useWishes.setState(change(useWishes.getState()));
}

/** Nothing is asked for any more: whoever asked has logged out. */
export function forgetWishes(): void {
  useWishes.setState(NONE);
}

/** Follows what other tabs ask for. `work` is run after each change of theirs. */
export function followWishesOfTabs(work: () => void): void {
  window.addEventListener('storage', ({ key }) => {
    if (key === KEY) void Promise.resolve(useWishes.persist.rehydrate()).then(work);
  });
}

/** Why a catalogue is not kept: no room for it, no longer on the server, or an answer that was none. */
export type NotKept = 'room' | 'gone' | 'refused';

/** A catalogue that is to be on this device. */
export interface Wanted {
  readonly resource: ResourceName;
  readonly title: string;
}

/** How far the device is with what was asked for. All maps are by address. */
export interface Keeping {
  readonly wanted: ReadonlyMap<string, Wanted>;
  /** Bytes of each. */
  readonly kept: ReadonlyMap<string, number>;
  readonly failed: ReadonlyMap<string, NotKept>;
  readonly running: boolean;
  /** What the rest waits for. */
  readonly waits?: 'connection' | 'data-saver' | undefined;
}

export const useKeeping = create<Keeping>()(() => ({
  wanted: new Map(),
  kept: new Map(),
  failed: new Map(),
  running: false,
}));
