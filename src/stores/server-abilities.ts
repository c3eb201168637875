import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { Capabilities } from '../domain/protocol/capabilities.ts';

/** The server's capabilities, empty until first loaded. They are in local storage, so the first paint knows them. */
export const useServerAbilities = create<Partial<Capabilities>>()(persist(() => ({}), { name: 'voltdesk.server' }));

/** Stores the server's capabilities. Components rerender only if they changed. */
export function keepAbilities(told: Capabilities): void {
  if (JSON.stringify(useServerAbilities.getState()) !== JSON.stringify(told)) useServerAbilities.setState(told, true);
}
