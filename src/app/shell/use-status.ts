import { useEffect, useState } from 'react';
import type { Progress } from '../../domain/outbox/progress.ts';
import { useQueueState } from '../../api/live.ts';
import { isOnline, isUnsure, useConnection } from '../../stores/connection.ts';
import { useSession } from '../../stores/session.ts';
import { type Situation, type Status, statusOf } from './status-words.ts';

/** Between two changes of one run nothing is on its way for a moment: the chip does not flicker for that. Milliseconds. */
const LINGER = 700;
/** On a slow link it takes longer, where there is more to send: the server is asked where the next file goes. Milliseconds. */
const LINGER_BETWEEN = 5000;

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
  const isSending = queue?.sendingId !== undefined || queue?.travelling === true;
  const lingers = useLinger(isSending, waiting > 0 ? LINGER_BETWEEN : LINGER);
  // What holds everything up is told at once, and what has to be decided: nothing else is on its way any more.
  const settled = !isSending && (queue?.pause !== undefined || (waiting === 0 && needAttention > 0));
  const sending = useRun(lingers && !settled, waiting, queue?.progress ?? NOTHING);
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
    forWifi: queue?.forWifi ?? 0,
    needAttention,
  });
}

const NOTHING: Progress = { sent: 0, total: 0 };
/** So many bytes are worth a share of them, in bytes. */
const MANY = 512 * 1024;

/** Counts through one run of sending: `total` is what there was to send since it began. */
function useRun(active: boolean, left: number, { sent, total: bytes }: Progress): Situation['sending'] {
  const [run, setRun] = useState({ left: 0, done: 0, bytes: 0, arrived: 0 });
  const next = active
    ? {
        left,
        done: run.done + Math.max(0, run.left - left),
        bytes,
        arrived: run.arrived + Math.max(0, run.bytes - bytes),
      }
    : { left, done: 0, bytes, arrived: 0 };
  if (next.left !== run.left || next.done !== run.done || next.bytes !== run.bytes) setRun(next);
  const total = next.done + next.left;
  if (!active || total === 0) return undefined;
  const all = next.arrived + bytes;
  const share = all < MANY ? {} : { share: (next.arrived + sent) / all };
  return { current: Math.min(next.done + 1, total), total, ...share };
}

function useLinger(now: boolean, milliseconds: number): boolean {
  const [lingering, setLingering] = useState(now);
  useEffect(() => {
    const timer = setTimeout(() => setLingering(now), now ? 0 : milliseconds);
    return () => clearTimeout(timer);
  }, [now, milliseconds]);
  return now || lingering;
}
