import { useEffect, useLayoutEffect } from 'react';
import { NavigationType } from 'react-router-dom';
import type { Place } from './history.ts';

/** How long a restored page may take to reach its former height before it is scrolled as far as possible. Milliseconds. */
const PATIENCE = 1000;
/** How long the page is tracked as it grows: on a slow device, code or rows may arrive late. Milliseconds. */
const FOLLOW_FOR = 10_000;
/** Input that stops the restoring: the user continues from the current position. */
const ACTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;
const STORE = 'voltdesk.scroll';

const places = new Map(readPlaces());
/** True for the first page of a newly opened document. It has the default key, which may match a stored position. */
let isNew = cameByAddress();

/** The last scroll position per address, for returns that are not history steps, such as from a saved form to its list. */
const lastSeen = new Map<string, number>();

/**
 * Scrolls a new page to its top, and a revisited or reloaded page to its former position. The browser restores the position
 * too early, before the content is there. A replaced address keeps its position.
 */
export function useScrollMemory({ location, action }: Place): void {
  const key = `${location.key} ${location.pathname}`;
  const cameBack = action === NavigationType.Push && (location.state as { back?: boolean } | null)?.back === true;
  useEffect(keepPlaces, []);
  useLayoutEffect(() => {
    if (action === NavigationType.Replace) return undefined;
    const returned = action === NavigationType.Pop && !isNew;
    isNew = false;
    if (cameBack) return scrollWhenTallEnough(lastSeen.get(location.pathname) ?? 0);
    return scrollWhenTallEnough(returned ? (places.get(key) ?? 0) : 0);
  }, [key, action, cameBack, location.pathname]);
  // A layout effect changes the listener with the page, so that the next page's top is not stored for the old one.
  useLayoutEffect(() => {
    const remember = () => {
      places.set(key, window.scrollY);
      lastSeen.set(location.pathname, window.scrollY);
    };
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, [key, location.pathname]);
}

/** Scrolls now or, while the content is too short, as soon as it is tall enough. Returns a function that cancels. */
function scrollWhenTallEnough(top: number): () => void {
  const began = performance.now();
  let reached = Number.NEGATIVE_INFINITY;
  let frame = 0;
  const stop = () => {
    cancelAnimationFrame(frame);
    for (const act of ACTS) window.removeEventListener(act, stop);
  };
  const attempt = () => {
    const room = document.documentElement.scrollHeight - window.innerHeight;
    const waited = performance.now() - began;
    if (room < top && waited < FOLLOW_FOR) frame = requestAnimationFrame(attempt);
    else stop();
    // Scrolls only if the page has grown, so that a row scrolled into view meanwhile stays visible.
    if (room <= reached || (room < top && waited < PATIENCE)) return;
    reached = room;
    if (window.scrollY !== top) window.scrollTo(0, top);
  };
  for (const act of ACTS) window.addEventListener(act, stop, { passive: true });
  attempt();
  return stop;
}

/** Replaces the browser's scroll restoration, and stores the positions in this tab's storage for a reload. */
function keepPlaces(): () => void {
  window.history.scrollRestoration = 'manual';
  const keep = () => sessionStorage.setItem(STORE, JSON.stringify([...places]));
  window.addEventListener('pagehide', keep);
  return () => window.removeEventListener('pagehide', keep);
}

function readPlaces(): [string, number][] {
  try {
    return JSON.parse(sessionStorage.getItem(STORE) ?? '[]') as [string, number][];
  } catch {
    return [];
  }
}

/** True if the document was opened by its address, not by a reload or the browser's back or forward. */
function cameByAddress(): boolean {
  const [navigation] = (performance.getEntriesByType?.('navigation') ?? []) as PerformanceNavigationTiming[];
  return navigation === undefined || navigation.type === 'navigate';
}
