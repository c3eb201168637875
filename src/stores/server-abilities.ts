import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { Capabilities } from '../domain/protocol/capabilities.ts';

/** What the server has told about itself; nothing until it was asked. Kept on the device, so that the first paint knows it. */
export const useServerAbilities = create<Partial<Capabilities>>()(persist(() => ({}), { name: 'voltdesk.server' }));

/** Takes over what the server told about itself. Pages are drawn anew only where that is news. */
export function keepAbilities(told: Capabilities): void {
  if (JSON.stringify(useServerAbilities.getState()) !== JSON.stringify(told)) useServerAbilities.setState(told, true);
}
