import { useState } from 'react';
import { sampled, type Sample, timeLeft } from '../../domain/outbox/progress.ts';
import type { QueueState } from '../../offline/outbox/queries.ts';
import { formatSize } from '../../ui/format.ts';
import { t } from '../../language/t.ts';

/** Progress is shown from this many bytes on. */
const MANY = 512 * 1024;
const MINUTE = 60_000;

interface QueueProgressProps {
  readonly progress: QueueState['progress'];
  /** Unsent bytes of paused changes. */
  readonly paused: number;
  /** Unsent bytes of changes that wait for Wi-Fi. */
  readonly forWifi: number;
  readonly now: number;
}

/** How many bytes of the queue are sent, and an estimate for those being sent now, based on the speed of the last minutes. */
export function QueueProgress({ progress, paused, forWifi, now }: QueueProgressProps) {
  const { sent, total } = progress;
  const left = total - sent;
  const before = useSamples(left, now);
  if (total < MANY) return null;
  const going = left - paused - forWifi;
  const time = going > 0 ? timeLeft(before, going) : undefined;
  const words = [
    going > 0 &&
      (sent === 0
        ? t('{size} to send', { size: formatSize(total) })
        : t('{done} of {size} sent', { done: formatSize(sent), size: formatSize(total) })),
    paused > 0 && t('{size} paused', { size: formatSize(paused) }),
    forWifi > 0 && t('{size} waiting for Wi-Fi', { size: formatSize(forWifi) }),
    time !== undefined && timeWords(time),
  ];
  return <p className="outbox-progress">{words.filter(Boolean).join(' · ')}</p>;
}

/** Samples of the bytes that arrived. Changes saved meanwhile raise `left` and do not count as lost progress. */
function useSamples(left: number, now: number): readonly Sample[] {
  const [seen, setSeen] = useState<{ left: number; samples: readonly Sample[] }>({ left, samples: [] });
  const last = seen.samples.at(-1);
  if (last?.at === now && seen.left === left) return seen.samples;
  const arrived = (last?.arrived ?? 0) + Math.max(0, seen.left - left);
  const next = { left, samples: sampled(seen.samples, { at: now, arrived }) };
  setSeen(next);
  return next.samples;
}

function timeWords(milliseconds: number): string {
  if (milliseconds < MINUTE) return t('less than a minute left');
  if (milliseconds < 90 * MINUTE) return t('about {minutes} min left', { minutes: Math.round(milliseconds / MINUTE) });
  return t('about {hours} h left', { hours: Math.round(milliseconds / (60 * MINUTE)) });
}
