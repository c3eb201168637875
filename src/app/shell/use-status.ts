import { useEffect, useState } from 'react';
import { useQueueState } from '../../api/live.ts';
import { isOnline, isUnsure, useConnection } from '../../stores/connection.ts';
import { useSession } from '../../stores/session.ts';
import { type Status, statusOf } from './status-words.ts';

/** Between two changes of one run nothing is on its way for a moment: the chip does not flicker for that. Milliseconds. */
const LINGER = 700;

/** What the status chip says now. */
export function useStatus(): Status {
  const radio = useConnection((connection) => connection.radio);
  const online = useConnection(isOnline);
  const unsure = useConnection(isUnsure);
  const portal = useConnection((connection) => connection.portal);
  const sessionEnded = useSession(({ ended }) => ended);
  const queue = useQueueState();
  const needAttention = queue?.needAttention ?? 0;
  const waiting = (queue?.waiting ?? 0) - needAttention;
  const lingers = useLinger(queue?.sendingId !== undefined);
  // What has to be decided is told at once: nothing else is on its way any more.
  const settled = queue?.sendingId === undefined && waiting === 0 && needAttention > 0;
  const sending = useRun(lingers && !settled, waiting);
  const lost = queue?.lossNoticedAt !== undefined;
  return statusOf({
    radio,
    online,
    unsure,
    portal,
    sessionEnded,
    lost,
    pause: queue?.pause,
    sending,
    waiting,
    needAttention,
  });
}

/** Counts through one run of sending: `total` is what there was to send since it began. */
function useRun(active: boolean, left: number): { current: number; total: number } | undefined {
  const [run, setRun] = useState({ left: 0, done: 0 });
  const next = active ? { left, done: run.done + Math.max(0, run.left - left) } : { left, done: 0 };
  if (next.left !== run.left || next.done !== run.done) setRun(next);
  const total = next.done + next.left;
  if (!active || total === 0) return undefined;
  return { current: Math.min(next.done + 1, total), total };
}

function useLinger(now: boolean): boolean {
  const [lingering, setLingering] = useState(now);
  useEffect(() => {
    const timer = setTimeout(() => setLingering(now), now ? 0 : LINGER);
    return () => clearTimeout(timer);
  }, [now]);
  return now || lingering;
}
