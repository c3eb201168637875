import { type ReactNode, startTransition, useLayoutEffect, useState } from 'react';
import { Router } from 'react-router-dom';
import type { GuardedHistory } from './history.ts';
import { useScrollMemory } from './scroll-memory.ts';

/** Routing on the guarded history. The screen that stands stays until the next one's code is there. */
export function GuardedRouter({ history, children }: { history: GuardedHistory; children: ReactNode }) {
  const [place, setPlace] = useState(history.place);
  // A redirect of the first render is made in an effect: who subscribes in one as well comes too late to hear of it.
  useLayoutEffect(() => history.subscribe(() => startTransition(() => setPlace(history.place()))), [history]);
  useScrollMemory(place);
  return (
    <Router location={place.location} navigationType={place.action} navigator={history}>
      {children}
    </Router>
  );
}
