import { type ReactNode, startTransition, useLayoutEffect, useState } from 'react';
import { Router } from 'react-router-dom';
import type { GuardedHistory } from './history.ts';

/** Routing on the guarded history. The screen that stands stays until the next one's code is there. */
export function GuardedRouter({ history, children }: { history: GuardedHistory; children: ReactNode }) {
  const [{ location, action }, setPlace] = useState(history.place);
  // A redirect of the first render is made in an effect: who subscribes in one as well comes too late to hear of it.
  useLayoutEffect(() => history.subscribe(() => startTransition(() => setPlace(history.place()))), [history]);
  return (
    <Router location={location} navigationType={action} navigator={history}>
      {children}
    </Router>
  );
}
