import { type ReactNode, startTransition, useEffect, useLayoutEffect, useState } from 'react';
import { Router } from 'react-router-dom';
import type { GuardedHistory } from './history.ts';
import { reloadIfRestoredWithout } from './missing-code.ts';
import { useScrollMemory } from './scroll-memory.ts';

/** Routes on the guarded history. The current screen stays until the next one's code has loaded. */
export function GuardedRouter({ history, children }: { history: GuardedHistory; children: ReactNode }) {
  const [place, setPlace] = useState(history.place);
  // A redirect in the first render runs in an effect. A subscription in an effect would miss it.
  useLayoutEffect(() => history.subscribe(() => startTransition(() => setPlace(history.place()))), [history]);
  useEffect(() => reloadIfRestoredWithout(() => history.place() === place), [history, place]);
  useScrollMemory(place);
  return (
    <Router location={place.location} navigationType={place.action} navigator={history}>
      {children}
    </Router>
  );
}
