import { create } from 'zustand';
import { onRestored } from './restored.ts';

export interface Connection {
  /** `navigator.onLine`. True says little: the server may still be unreachable. */
  readonly radio: boolean;
  /** Whether the last request reached our server. Undefined while that is unknown: at the start, and after `online`. */
  readonly answers: boolean | undefined;
  /** A page answered instead of our server: the network is a captive portal. */
  readonly portal: boolean;
}

export const useConnection = create<Connection>()(() => ({
  radio: navigator.onLine,
  answers: undefined,
  portal: false,
}));

/** True while the browser is online and the server is not known to be unreachable, so a request is worth trying. */
export function isOnline({ radio, answers }: Connection): boolean {
  return radio && answers !== false;
}

/** True while a request is worth trying and the server has not answered yet: the app must not claim to be online. */
export function isUnsure({ radio, answers }: Connection): boolean {
  return radio && answers === undefined;
}

let lastHeardAt = 0;

/** When the result of a request was last noted, in epoch milliseconds. */
export function lastHeard(): number {
  return lastHeardAt;
}

const listeners = new Set<() => void>();

/** Runs `work` after each answer of the server. Returns an unsubscribe function. */
export function onAnswer(work: () => void): () => void {
  listeners.add(work);
  return () => void listeners.delete(work);
}

/** Records whether the server answered, and whether a captive portal answered instead. */
export function noteAnswer(answers: boolean, portal = false): void {
  lastHeardAt = Date.now();
  const known = useConnection.getState();
  // an answer proves the connection: `navigator.onLine` is occasionally false without a reason
  const radio = known.radio || answers;
  if (known.answers !== answers || known.portal !== portal || known.radio !== radio)
    useConnection.setState({ radio, answers, portal });
  if (answers) for (const tell of listeners) tell();
}

/** Runs `work` each time the connection returns. Returns an unsubscribe function. */
export function onReturn(work: () => void): () => void {
  return useConnection.subscribe((now, before) => {
    if (isOnline(now) && !isOnline(before)) work();
  });
}

/** Follows the browser's `online` and `offline` events, also those that a restored page missed. Returns an unsubscribe function. */
export function followRadio(): () => void {
  const up = () => useConnection.setState({ radio: true, answers: undefined, portal: false });
  const down = () => useConnection.setState({ radio: false });
  window.addEventListener('online', up);
  window.addEventListener('offline', down);
  const stopRestored = onRestored(() => (navigator.onLine ? up : down)());
  return () => {
    window.removeEventListener('online', up);
    window.removeEventListener('offline', down);
    stopRestored();
  };
}
