import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useIdentities } from '../../api/live.ts';
import { identityKey } from '../../domain/outbox/optimistic-view.ts';
import type { Resource } from '../../domain/resource.ts';
import type { WayBack } from '../paths.ts';
import type { Row } from './list-rules.ts';

/** For how long a row that was just saved shows itself. Milliseconds. */
const SHOWN_FOR = 2000;
/** Below the bars that stay in sight, and above what stands at the foot of the window. CSS pixels. */
const MARGIN = 220;

/** The navigations whose record has shown itself: one that is returned to later does not do so again. */
const seen = new Set<string>();

interface Arrival {
  readonly arrived: string | undefined;
  /** Shows a record that was saved where it stands. */
  readonly show: (recordId: string) => void;
}

/** The record that was just saved, for two seconds, scrolled into sight where it is not. */
export function useArrival(resource: Resource, shown: readonly Row[], height: number): Arrival {
  const { key, state } = useLocation();
  const saved = (state as Partial<WayBack> | null)?.saved;
  const serverId = useIdentities()?.get(identityKey(resource.name, saved ?? ''));
  const recordId = serverId === undefined ? saved : String(serverId);
  const place = recordId === undefined || seen.has(key) ? -1 : shown.findIndex((row) => row.recordId === recordId);
  const [arrived, setArrived] = useState<string>();
  useEffect(() => {
    if (place === -1) return undefined;
    // behind the paint: the page has first gone back to where it was left
    const frame = requestAnimationFrame(() => {
      seen.add(key);
      setArrived(recordId);
      scrollTo(place, height);
    });
    return () => cancelAnimationFrame(frame);
  }, [place, key, recordId, height]);
  useEffect(() => {
    if (arrived === undefined) return undefined;
    const timer = setTimeout(() => setArrived(undefined), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [arrived]);
  return { arrived: arrived === saved ? recordId : arrived, show: setArrived };
}

function scrollTo(place: number, height: number): void {
  const top = document.querySelector('[data-rows]')?.getBoundingClientRect().top ?? 0;
  const y = top + place * height;
  if (y < MARGIN || y + height > window.innerHeight - MARGIN / 2)
    window.scrollTo(0, window.scrollY + y - window.innerHeight / 2);
}
