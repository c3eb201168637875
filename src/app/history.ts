import {
  createPath,
  type Location,
  NavigationType,
  type Navigator,
  parsePath,
  type Path,
  type To,
} from 'react-router-dom';

/** The current location and the navigation that led to it. */
export interface Place {
  readonly location: Location;
  readonly action: NavigationType;
}

export interface GuardedHistory extends Navigator {
  readonly place: () => Place;
  readonly subscribe: (listener: () => void) => () => void;
}

/** The state stored with each history entry: the router's state and the entry's depth. */
interface Kept {
  readonly usr: unknown;
  readonly key: string;
  readonly idx: number;
}

/**
 * The browser's history with a guard. Calls `mayLeave` before a link is followed and after the browser's back or forward,
 * which is reverted until the answer is known. The router's own blocker requires a data router, which is larger than all the
 * other routing code. `signal` removes the guard.
 */
export function guardedHistory(
  mayLeave: (to: string) => boolean | Promise<boolean>,
  signal?: AbortSignal,
): GuardedHistory {
  const listeners = new Set<() => void>();
  let place: Place = { location: readLocation(), action: NavigationType.Pop };
  let depth = keptState()?.idx ?? 0;
  // Ignores our own pop, which reverts a refused or undecided one.
  let ignorePop = false;

  function arrive(action: NavigationType): void {
    depth = keptState()?.idx ?? 0;
    place = { location: readLocation(), action };
    for (const listener of listeners) listener();
  }

  function navigate(to: To, state: unknown, action: 'push' | 'replace'): void {
    const path = typeof to === 'string' ? parsePath(to) : to;
    const target = createPath({ ...path, pathname: path.pathname ?? place.location.pathname });
    // The page stays and only its address changes, because its record got its server id. No question is needed.
    const stays = (state as { samePage?: boolean } | null)?.samePage === true;
    whenPermitted(stays ? createPath(place.location) : target, () => {
      const kept: Kept = { usr: state, key: randomKey(), idx: action === 'push' ? depth + 1 : depth };
      if (action === 'push') window.history.pushState(kept, '', target);
      else window.history.replaceState(kept, '', target);
      arrive(action === 'push' ? NavigationType.Push : NavigationType.Replace);
    });
  }

  // Runs synchronously if no question is needed, so that ordinary navigation is not delayed by a tick.
  function whenPermitted(target: string, go: () => void): void {
    const answer = permitted(target);
    if (typeof answer === 'boolean') {
      if (answer) go();
    } else void answer.then((yes) => yes && go());
  }

  function permitted(target: string): boolean | Promise<boolean> {
    return pageOf(parsePath(target)) === pageOf(place.location) || mayLeave(target);
  }

  function popped(): void {
    if (ignorePop) {
      ignorePop = false;
      return;
    }
    const delta = (keptState()?.idx ?? 0) - depth;
    const answer = delta === 0 || permitted(createPath(readLocation()));
    if (answer === true) return arrive(NavigationType.Pop);
    ignorePop = true;
    window.history.go(-delta);
    if (answer !== false) void answer.then((yes) => yes && window.history.go(delta));
  }

  window.addEventListener('popstate', popped, signal && { signal });

  return {
    place: () => place,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    createHref: (to) => (typeof to === 'string' ? to : createPath(to)),
    go: (delta) => window.history.go(delta),
    push: (to, state) => navigate(to, state, 'push'),
    replace: (to, state) => navigate(to, state, 'replace'),
  };
}

/** Identifies a page by path and search. The search counts because a form prefilled from another record is another form. */
function pageOf({ pathname = '', search = '' }: Partial<Path>): string {
  return pathname + search;
}

function keptState(): Kept | null {
  return window.history.state as Kept | null;
}

function readLocation(): Location {
  const { pathname, search, hash } = window.location;
  const kept = keptState();
  return { pathname, search, hash, state: kept?.usr ?? null, key: kept?.key ?? 'default' };
}

function randomKey(): string {
  return Math.random().toString(36).slice(2, 10);
}
