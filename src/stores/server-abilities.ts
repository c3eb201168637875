import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { Capabilities } from '../domain/capabilities.ts';

interface ServerAbilities {
  /** Widths in which the server gives its pictures; undefined until it was asked. */
  readonly imageSizes: readonly number[] | undefined;
}

/** What pages draw differently for what the server can do. Kept on the device, so that the first paint knows it. */
export const useServerAbilities = create<ServerAbilities>()(
  persist((): ServerAbilities => ({ imageSizes: undefined }), { name: 'voltdesk.server' }),
);

/** Takes over what the server told about itself. */
export function keepAbilities({ imageSizes }: Capabilities): void {
  const known = useServerAbilities.getState().imageSizes;
  if (known?.join() !== imageSizes.join()) useServerAbilities.setState({ imageSizes });
}
