import { useSyncExternalStore } from 'react';

interface SharedAddress {
  readonly value: () => string | undefined;
  readonly subscribe: (listener: () => void) => () => void;
}

const shared = new WeakMap<Blob, SharedAddress>();

/** Returns an object URL for a blob, revoked once nothing uses it. May be undefined on the first render. */
export function useObjectUrl(blob: Blob): string | undefined {
  const { subscribe, value } = sharedAddress(blob);
  return useSyncExternalStore(subscribe, value);
}

function sharedAddress(blob: Blob): SharedAddress {
  const known = shared.get(blob);
  if (known !== undefined) return known;
  let address: string | undefined;
  let users = 0;
  const opened: SharedAddress = {
    value: () => address,
    subscribe: () => {
      users += 1;
      address ??= URL.createObjectURL(blob);
      return () => {
        users -= 1;
        if (users > 0 || address === undefined) return;
        URL.revokeObjectURL(address);
        address = undefined;
      };
    },
  };
  shared.set(blob, opened);
  return opened;
}
