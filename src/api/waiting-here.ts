import { useEffect, useState } from 'react';
import { hasOutbox } from './device.ts';
import { liveQueueState } from './live.ts';

/**
 * Number of changes waiting on this device, of all administrators, while nobody is signed in. 0 until the device has answered. A
 * first visit has no database and creates none.
 */
export function useWaitingHere(): number {
  const [waiting, setWaiting] = useState(0);
  useEffect(() => {
    let stop = () => {};
    let left = false;
    const tell = () => {
      const { waiting: own = 0, otherAdministratorsWaiting: others = 0 } = liveQueueState.value() ?? {};
      setWaiting(own + others);
    };
    const look = async () => {
      if (!(await hasOutbox()) || left) return;
      stop = liveQueueState.subscribe(tell);
      tell();
    };
    look().catch((failure: unknown) => console.warn('Cannot read the waiting changes.', failure));
    return () => {
      left = true;
      stop();
    };
  }, []);
  return waiting;
}
