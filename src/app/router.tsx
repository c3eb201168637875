import { type ReactNode, startTransition, useEffect, useState } from 'react';
import { Router } from 'react-router-dom';
import type { GuardedHistory } from './history.ts';

/** Routing on the guarded history. The screen that stands stays until the next one's code is there. */
export function GuardedRouter({ history, children }: { history: GuardedHistory; children: ReactNode }) {
  const [{ location, action }, setPlace] = useState(history.place);
  useEffect(() => history.subscribe(() => startTransition(() => setPlace(history.place()))), [history]);
  return (
    <Router location={location} navigationType={action} navigator={history}>
      {children}
    </Router>
  );
}
