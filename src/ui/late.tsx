import {
  type ComponentType,
  lazy,
  type ReactElement,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useState,
} from 'react';
import { whenStill } from './when-still.ts';

/** Deferred code that can be prefetched. `load` rejects if the fetch fails. */
interface Fetched {
  load(): Promise<unknown>;
}

/** A screen, or a part of one, whose code loads on demand. */
export interface Late<P> extends Fetched {
  (props: P): ReactElement;
}

/** How long leaving the page may take. After that it was called off, as by a link that led to a download. Milliseconds. */
const LEAVES_WITHIN = 30_000;

let leftAt = Number.NEGATIVE_INFINITY;
globalThis.addEventListener?.('pageshow', () => (leftAt = Number.NEGATIVE_INFINITY));

/** True while the browser leaves the page. Known only if deferred code was on its way when it began. */
export function isBeingLeft(): boolean {
  return Date.now() - leftAt < LEAVES_WITHIN;
}

/** Runs `loader`, and notes meanwhile that the page is left. A permanent listener would keep it out of the back/forward cache. */
async function watched<T>(loader: () => Promise<T>): Promise<T> {
  const noteLeaving = () => (leftAt = Date.now());
  addEventListener('beforeunload', noteLeaving);
  try {
    return await loader();
  } finally {
    removeEventListener('beforeunload', noteLeaving);
  }
}

/**
 * Returns a component that loads its code with `loader`. Renders synchronously if the code is already loaded: after a Suspense
 * fallback React delays the next paint by 300 ms to avoid flicker, which is too slow for a list or a press.
 */
export function late<P extends object>(loader: () => Promise<{ readonly default: ComponentType<P> }>): Late<P> {
  let ready: ComponentType<P> | undefined;
  const load = async () => {
    const loaded = await watched(loader);
    ready = loaded.default;
    return loaded;
  };
  const Lazy = lazy(load) as ComponentType<P>;

  function Chosen(props: P) {
    // Chosen once: a different component would remount and lose its state.
    const [Part] = useState<ComponentType<P>>(() => ready ?? Lazy);
    return <Part {...props} />;
  }
  return Object.assign(Chosen, { load });
}

let sayMissing = (): void => {};

/** Sets what tells the user that the code of a part could not be fetched. */
export function onMissingCode(say: () => void): void {
  sayMissing = say;
}

/**
 * Returns a component that fetches its code with `loader` whenever it appears and does not have it yet. If that fails, it
 * stays away and what surrounds it stands: with `onMissing`, which closes the part for the next press, the user is told.
 */
export function optional<P extends object>(loader: () => Promise<{ readonly default: ComponentType<P> }>) {
  let ready: ComponentType<P> | undefined;

  return function Optional({ onMissing, ...props }: P & { readonly onMissing?: (() => void) | undefined }): ReactNode {
    const [Part, setPart] = useState<ComponentType<P> | undefined>(() => ready);
    const miss = useEffectEvent(() => {
      if (onMissing === undefined) return;
      sayMissing();
      onMissing();
    });
    useEffect(() => {
      if (Part !== undefined) return undefined;
      let isGone = false;
      loader().then(
        (code) => setPart(() => (ready = code.default)),
        () => isGone || miss(),
      );
      return () => void (isGone = true);
    }, [Part]);
    return Part && <Part {...(props as unknown as P)} />;
  };
}

/** Fetches deferred code, one item at a time while the page is idle. Rejects if a fetch fails. */
export async function prefetch(all: Iterable<Fetched>): Promise<void> {
  for (const one of all) {
    await new Promise<void>((rested) => whenStill(rested));
    await one.load();
  }
}

/** Prefetches deferred parts, so that they open in the frame after the press. */
export function usePrefetch(all: readonly Fetched[]): void {
  useEffect(() => {
    // Offline, the code is not available until a first visit has precached it.
    prefetch(all).catch(() => {});
  }, [all]);
}
