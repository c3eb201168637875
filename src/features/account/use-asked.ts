import { useCallback, useEffect, useState } from 'react';
import { messageOf } from '../../api/failure.ts';
import { notify } from '../../stores/notifications.ts';

/** Data that only the server has; this device keeps no copy. */
export interface Asked<T> {
  readonly value: T | undefined;
  readonly failure: string | undefined;
  readonly asking: boolean;
  /** Loads again. */
  ask(): void;
  /** Runs `work`, shows its message as a toast and loads again. Resolves to false after a failure, which is shown too. */
  act(work: () => Promise<string>): Promise<boolean>;
}

/** What has been loaded so far. */
type Heard<T> = Pick<Asked<T>, 'value' | 'failure' | 'asking'>;

/** Loads when the screen opens. `load` has to be a stable function. */
export function useAsked<T>(load: () => Promise<T>): Asked<T> {
  const [heard, setHeard] = useState<Heard<T>>({ value: undefined, failure: undefined, asking: true });
  const hear = useCallback(
    () => answerOf(load).then((answer) => setHeard((before) => ({ ...before, ...answer, asking: false }))),
    [load],
  );
  useEffect(() => void hear(), [hear]);
  const ask = () => {
    setHeard((before) => ({ ...before, asking: true }));
    void hear();
  };
  const act = async (work: () => Promise<string>) => {
    const done = await told(work);
    await hear();
    return done;
  };
  return { ...heard, ask, act };
}

async function answerOf<T>(load: () => Promise<T>): Promise<Partial<Heard<T>>> {
  try {
    return { value: await load(), failure: undefined };
  } catch (caught) {
    return { failure: messageOf(caught) };
  }
}

async function told(work: () => Promise<string>): Promise<boolean> {
  try {
    notify(await work(), { kind: 'success' });
    return true;
  } catch (caught) {
    notify(messageOf(caught), { kind: 'error' });
    return false;
  }
}
