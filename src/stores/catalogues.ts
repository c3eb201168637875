import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { ResourceName } from '../domain/resource.ts';

/** One record whose catalogue is to be kept offline, as last known. */
export interface KeptRecord {
  readonly resource: ResourceName;
  readonly id: number;
  readonly title: string;
  readonly address: string;
}

/** What to keep on this device: all catalogues of some kinds of record, and those of single records. */
export interface Wishes {
  readonly kinds: readonly ResourceName[];
  readonly records: readonly KeptRecord[];
}

const KEY = 'voltdesk.catalogues';
const NONE: Wishes = { kinds: [], records: [] };

/** Stored outside IndexedDB: when the cache is evicted to make room for a save, the device still knows what to refetch. */
export const useWishes = create<Wishes>()(persist(() => NONE, { name: KEY }));

/** Changes the wishes, starting from what other tabs have stored. */
export async function changeWishes(change: (wishes: Wishes) => Wishes): Promise<void> {
  await useWishes.persist.rehydrate();
  useWishes.setState(change(useWishes.getState()));
}

/** Clears the wishes on log-out. */
export function forgetWishes(): void {
  useWishes.setState(NONE);
}

/** Follows changes made in other tabs. Runs `work` after each one. */
export function followWishesOfTabs(work: () => void): void {
  window.addEventListener('storage', ({ key }) => {
    if (key === KEY) void Promise.resolve(useWishes.persist.rehydrate()).then(work);
  });
}

/** Why a catalogue is not kept: out of quota, no longer on the server, or an unusable answer. */
export type NotKept = 'room' | 'gone' | 'refused';

/** A catalogue to keep on this device. */
export interface Wanted {
  readonly resource: ResourceName;
  readonly title: string;
}

/** Progress of the downloads. All maps are keyed by address. */
export interface Keeping {
  readonly wanted: ReadonlyMap<string, Wanted>;
  /** Size of each in bytes. */
  readonly kept: ReadonlyMap<string, number>;
  readonly failed: ReadonlyMap<string, NotKept>;
  readonly running: boolean;
  /** What the remaining downloads wait for. */
  readonly waits?: 'connection' | 'data-saver' | undefined;
}

export const useKeeping = create<Keeping>()(() => ({
  wanted: new Map(),
  kept: new Map(),
  failed: new Map(),
  running: false,
}));
