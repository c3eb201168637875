import { type ComponentType, lazy, type ReactElement, useEffect, useState } from 'react';
import { whenStill } from './when-still.ts';

/** Something whose code can be fetched before it is wanted; rejects where it cannot be had. */
interface Fetched {
  load(): Promise<unknown>;
}

/** A screen, or a part of one, whose code comes when it is wanted. */
export interface Late<P> extends Fetched {
  (props: P): ReactElement;
}

/**
 * Makes a component of what `loader` brings. Where its code is there already it is drawn at once: after a placeholder React holds
 * the next paint back, so that a page does not flicker, for 300 ms that neither a list nor a press has to spare.
 */
export function late<P extends object>(loader: () => Promise<{ readonly default: ComponentType<P> }>): Late<P> {
  let ready: ComponentType<P> | undefined;
  const load = async () => {
    const loaded = await loader();
    ready = loaded.default;
    return loaded;
  };
  const Lazy = lazy(load) as ComponentType<P>;

  function Chosen(props: P) {
    // chosen once: another component in its place would begin anew
    const [Part] = useState<ComponentType<P>>(() => ready ?? Lazy);
    return <Part {...props} />;
  }
  return Object.assign(Chosen, { load });
}

/** Fetches the code of these, each when the page rests. Rejects where it cannot be had. */
export async function prefetch(all: Iterable<Fetched>): Promise<void> {
  for (const one of all) {
    await new Promise<void>((rested) => whenStill(rested));
    await one.load();
  }
}

/** Has these open in the frame after their press. */
export function usePrefetch(all: readonly Fetched[]): void {
  useEffect(() => {
    // Without a connection, and before the first visit has put them on the device, there is nothing to fetch.
    prefetch(all).catch(() => {});
  }, [all]);
}
