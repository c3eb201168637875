import { create } from 'zustand';

export interface Connection {
  /** What the browser knows: a radio. True says little: the server may be dead. */
  readonly radio: boolean;
  /** What the last answer, or its absence, said about our server. Undefined while nothing is known: at the start, and when a radio is back. */
  readonly answers: boolean | undefined;
  /** What answered in place of our server was a page: a network asks for a sign-in. */
  readonly portal: boolean;
}

export const useConnection = create<Connection>()(() => ({
  radio: navigator.onLine,
  answers: undefined,
  portal: false,
}));

/** True while there is a radio and nothing is known against the server: it is worth asking. */
export function isOnline({ radio, answers }: Connection): boolean {
  return radio && answers !== false;
}

/** True while the server is worth asking, and has not answered yet: that it is there is not to be said. */
export function isUnsure({ radio, answers }: Connection): boolean {
  return radio && answers === undefined;
}

let lastHeardAt = 0;

/** When the server was last asked and what came of it was noted, in epoch milliseconds. */
export function lastHeard(): number {
  return lastHeardAt;
}

const listeners = new Set<() => void>();

/** Runs `work` after each answer of the server. Returns how to stop. */
export function onAnswer(work: () => void): () => void {
  listeners.add(work);
  return () => void listeners.delete(work);
}

/** Notes that the server answered, or that it did not, and that a network's sign-in page did. */
export function noteAnswer(answers: boolean, portal = false): void {
  lastHeardAt = Date.now();
  const known = useConnection.getState();
  if (known.answers !== answers || known.portal !== portal) useConnection.setState({ answers, portal });
  if (answers) for (const tell of listeners) tell();
}

/** Runs `work` each time the connection comes back. Returns how to stop. */
export function onReturn(work: () => void): () => void {
  return useConnection.subscribe((now, before) => {
    if (isOnline(now) && !isOnline(before)) work();
  });
}

/** Follows the browser's own events. Returns how to stop. */
export function followRadio(): () => void {
  const up = () => useConnection.setState({ radio: true, answers: undefined, portal: false });
  const down = () => useConnection.setState({ radio: false });
  window.addEventListener('online', up);
  window.addEventListener('offline', down);
  return () => {
    window.removeEventListener('online', up);
    window.removeEventListener('offline', down);
  };
}
