import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { Capabilities } from '../domain/protocol/capabilities.ts';

interface ServerAbilities {
  /** Widths in which the server gives its pictures; undefined until it was asked. */
  readonly imageSizes: readonly number[] | undefined;
  /** The answer to a change can be asked for by its key. */
  readonly changesByKey: boolean;
  /** Administrators, roles and sessions are the server's own. */
  readonly people: boolean;
}

/** What pages draw differently for what the server can do. Kept on the device, so that the first paint knows it. */
export const useServerAbilities = create<ServerAbilities>()(
  persist((): ServerAbilities => ({ imageSizes: undefined, changesByKey: false, people: false }), {
    name: 'voltdesk.server',
  }),
);

/** Takes over what the server told about itself. */
export function keepAbilities({ imageSizes, changesByKey, people }: Capabilities): void {
  const told: ServerAbilities = { imageSizes, changesByKey, people };
  if (JSON.stringify(useServerAbilities.getState()) !== JSON.stringify(told)) useServerAbilities.setState(told);
}
