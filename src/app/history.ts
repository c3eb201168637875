import {
  createPath,
  type Location,
  NavigationType,
  type Navigator,
  parsePath,
  type Path,
  type To,
} from 'react-router-dom';

/** Where the page is, and how it got there. */
export interface Place {
  readonly location: Location;
  readonly action: NavigationType;
}

export interface GuardedHistory extends Navigator {
  readonly place: () => Place;
  readonly subscribe: (listener: () => void) => () => void;
}

/** What the browser keeps with each entry of its history: the router's state, and how deep the entry lies. */
interface Kept {
  readonly usr: unknown;
  readonly key: string;
  readonly idx: number;
}

/**
 * The browser's history, with a question before a page is left: `mayLeave` is asked before a link and after the browser's
 * back or forward, which is taken back while the question stands. The router's own blocker comes with a data router, which
 * weighs more than all the rest of routing. `signal` ends it.
 */
export function guardedHistory(
  mayLeave: (to: string) => boolean | Promise<boolean>,
  signal?: AbortSignal,
): GuardedHistory {
  const listeners = new Set<() => void>();
  let place: Place = { location: readLocation(), action: NavigationType.Pop };
  let depth = keptState()?.idx ?? 0;
  // One pop is ours: the one that takes a refused or still undecided one back.
  let ignorePop = false;

  function arrive(action: NavigationType): void {
    depth = keptState()?.idx ?? 0;
    place = { location: readLocation(), action };
    for (const listener of listeners) listener();
  }

  function navigate(to: To, state: unknown, action: 'push' | 'replace'): void {
    const path = typeof to === 'string' ? parsePath(to) : to;
    const target = createPath({ ...path, pathname: path.pathname ?? place.location.pathname });
    // The page that stands gets another address (its record got the server's id): nothing is left behind.
    const stays = (state as { samePage?: boolean } | null)?.samePage === true;
    whenPermitted(stays ? createPath(place.location) : target, () => {
      const kept: Kept = { usr: state, key: randomKey(), idx: action === 'push' ? depth + 1 : depth };
      if (action === 'push') window.history.pushState(kept, '', target);
      else window.history.replaceState(kept, '', target);
      arrive(action === 'push' ? NavigationType.Push : NavigationType.Replace);
    });
  }

  // At once where nothing stands in the way: ordinary navigation is not delayed by a turn.
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

/** What tells one page from another. The search does: a form that begins with another record is another form. */
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
