import { type ComponentType, lazy, type ReactElement, useState } from 'react';

/** A screen whose code comes when it is wanted. */
export interface LateScreen<P> {
  (props: P): ReactElement;
  /** Fetches the code; rejects where it cannot be had. */
  load(): Promise<unknown>;
}

/**
 * Makes a screen of what `loader` brings. Where its code is there already it is drawn at once: after a placeholder React holds
 * the next paint back, so that a page does not flicker, for 300 ms that no list has to spare.
 */
export function lateScreen<P extends object>(
  loader: () => Promise<{ readonly default: ComponentType<P> }>,
): LateScreen<P> {
  let ready: ComponentType<P> | undefined;
  const load = async () => {
    const loaded = await loader();
    ready = loaded.default;
    return loaded;
  };
  const Lazy = lazy(load) as ComponentType<P>;

  function Screen(props: P) {
    // chosen once: another component in its place would begin the screen anew
    const [Chosen] = useState<ComponentType<P>>(() => ready ?? Lazy);
    return <Chosen {...props} />;
  }
  return Object.assign(Screen, { load });
}
