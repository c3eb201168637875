import { useEffect, useLayoutEffect } from 'react';
import { NavigationType } from 'react-router-dom';
import type { Place } from './history.ts';

/** How long a page that is returned to may take to grow as tall as it was, before it is scrolled as far as it goes. Milliseconds. */
const PATIENCE = 1000;
/** For how long its growth is followed then: on a slow device its code or its rows may come late. Milliseconds. */
const FOLLOW_FOR = 10_000;
/** Whoever does one of these goes on from where the page is. */
const ACTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;
const STORE = 'voltdesk.scroll';

const places = new Map(readPlaces());
/** True for the first page of a document that was not returned to: it has no key of its own, and might be taken for another. */
let isNew = cameByAddress();

/** Where each address was last seen, for a way back that is no step back: from a saved form to its list. */
const lastSeen = new Map<string, number>();

/**
 * A page that is gone to is seen from its top; one that is returned to, or loaded anew, where it was left. The browser's own
 * memory restores too early: before the page's content is there. A replaced address is the same place.
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
  // Changed over together with the page: a page that was just left must not take the next one's top for its own place.
  useLayoutEffect(() => {
    const remember = () => {
      places.set(key, window.scrollY);
      lastSeen.set(location.pathname, window.scrollY);
    };
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, [key, location.pathname]);
}

/** Scrolls now or, while the content is still short, as soon as there is room. Returns how to call it off. */
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
    // Only where it has grown: a row that shows itself meanwhile stays in sight.
    if (room <= reached || (room < top && waited < PATIENCE)) return;
    reached = room;
    if (window.scrollY !== top) window.scrollTo(0, top);
  };
  for (const act of ACTS) window.addEventListener(act, stop, { passive: true });
  attempt();
  return stop;
}

/** Takes the memory over from the browser; a reload finds it in this tab's storage. */
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

/** Whether this document came by its address, and not by a reload or by the browser's back and forward. */
function cameByAddress(): boolean {
  const [navigation] = (performance.getEntriesByType?.('navigation') ?? []) as PerformanceNavigationTiming[];
  return navigation === undefined || navigation.type === 'navigate';
}
