import { useEffect, useState } from 'react';
import type { Progress } from '../../domain/outbox/progress.ts';
import { useQueueState } from '../../api/live.ts';
import { isOnline, isUnsure, useConnection } from '../../stores/connection.ts';
import { useSession } from '../../stores/session.ts';
import { type Situation, type Status, statusOf } from './status-words.ts';

/** How long "Sending" outlasts a change, so that the chip does not flicker between two changes of a run. Milliseconds. */
const LINGER = 700;
/** The same while more changes wait: on a slow link, starting the next upload takes a round trip. Milliseconds. */
const LINGER_BETWEEN = 5000;

/** Returns the current status for the chip. */
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
  // A pause ends the lingering at once. So do changes that need attention, if no others are pending.
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
    failing: queue?.failing ?? 0,
    needAttention,
    forgotten: queue?.forgotten ?? 0,
  });
}

const NOTHING: Progress = { sent: 0, total: 0 };
/** Minimum total for showing a percentage. Bytes. */
const MANY = 512 * 1024;

/** Counts the changes of a run. `total` includes everything pending since the run began. */
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
