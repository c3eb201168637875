import { useCallback, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../api/failure.ts';
import { notify } from '../../stores/notifications.ts';

/** Data that only the server has; this device keeps no copy. */
export interface ServerData<T> {
  readonly value: T | undefined;
  readonly failure: string | undefined;
  readonly loading: boolean;
  /** Loads again. */
  reload(): void;
  /** Runs `work`, shows its message as a toast and loads again. Resolves to false after a failure, which is shown too. */
  act(work: () => Promise<string>): Promise<boolean>;
}

/** What has been loaded so far. */
type Loaded<T> = Pick<ServerData<T>, 'value' | 'failure' | 'loading'>;

/** Loads when the screen opens. `load` has to be a stable function. */
export function useServerData<T>(load: () => Promise<T>): ServerData<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ value: undefined, failure: undefined, loading: true });
  const asked = useRef(0);
  const fetchNow = useCallback(async () => {
    asked.current += 1;
    const number = asked.current;
    const answer = await answerOf(load);
    // A later request has newer data.
    if (number === asked.current) setLoaded((before) => ({ ...before, ...answer, loading: false }));
  }, [load]);
  useEffect(() => void fetchNow(), [fetchNow]);
  const reload = () => {
    setLoaded((before) => ({ ...before, loading: true }));
    void fetchNow();
  };
  const act = async (work: () => Promise<string>) => {
    const done = await report(work);
    await fetchNow();
    return done;
  };
  return { ...loaded, reload, act };
}

async function answerOf<T>(load: () => Promise<T>): Promise<Partial<Loaded<T>>> {
  try {
    return { value: await load(), failure: undefined };
  } catch (caught) {
    return { failure: messageOf(caught) };
  }
}

async function report(work: () => Promise<string>): Promise<boolean> {
  try {
    notify(await work(), { kind: 'done' });
    return true;
  } catch (caught) {
    notify(messageOf(caught), { kind: 'error' });
    return false;
  }
}
