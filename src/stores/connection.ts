import { create } from 'zustand';

export interface Connection {
  /** What the browser knows: a radio. True says little: the server may be dead. */
  readonly radio: boolean;
  /** What the last answer, or its absence, said about our server. Believed until something else is known. */
  readonly answers: boolean;
}

export const useConnection = create<Connection>()(() => ({ radio: navigator.onLine, answers: true }));

/** True while there is a radio and the server answered the last time it was asked. */
export function isOnline({ radio, answers }: Connection): boolean {
  return radio && answers;
}

let lastHeardAt = 0;

/** When the server was last asked and what came of it was noted, in epoch milliseconds. */
export function lastHeard(): number {
  return lastHeardAt;
}

/** Notes that the server answered, or that it did not. */
export function noteAnswer(answers: boolean): void {
  lastHeardAt = Date.now();
  if (useConnection.getState().answers !== answers) useConnection.setState({ answers });
}

/** Runs `work` each time the connection comes back. Returns how to stop. */
export function onReturn(work: () => void): () => void {
  return useConnection.subscribe((now, before) => {
    if (isOnline(now) && !isOnline(before)) work();
  });
}

/** Follows the browser's own events. Returns how to stop. */
export function followRadio(): () => void {
  // A link that comes back is worth believing in: the next answer corrects it.
  const up = () => useConnection.setState({ radio: true, answers: true });
  const down = () => useConnection.setState({ radio: false });
  window.addEventListener('online', up);
  window.addEventListener('offline', down);
  return () => {
    window.removeEventListener('online', up);
    window.removeEventListener('offline', down);
  };
}
