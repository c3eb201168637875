import { useState } from 'react';
import { sampled, type Sample, timeLeft } from '../../domain/outbox/progress.ts';
import type { QueueState } from '../../offline/outbox/queries.ts';
import { formatSize } from '../../ui/format.ts';
import { t } from '../../language/t.ts';

/** From so many bytes on it is worth telling how far the queue has come. */
const MANY = 512 * 1024;
const MINUTE = 60_000;

interface QueueProgressProps {
  readonly progress: QueueState['progress'];
  /** Bytes that are left of paused changes. */
  readonly paused: number;
  /** Bytes that wait for Wi-Fi. */
  readonly forWifi: number;
  readonly now: number;
}

/** How much of the queue has gone, and how long what leaves by itself now takes if the link stays as it was in the last minutes. */
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

/** What was seen of the bytes that are left. What is saved meanwhile adds to them, and is no step back. */
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
