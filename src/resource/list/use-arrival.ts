import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useIdentities } from '../../api/live.ts';
import { identityKey } from '../../domain/outbox/optimistic-view.ts';
import type { Resource } from '../../domain/resource.ts';
import type { WayBack } from '../paths.ts';
import type { Row } from './list-rules.ts';

/** How long a row is highlighted after its save. Milliseconds. */
const SHOWN_FOR = 2000;
/** Height of the sticky bars at the top of the window. CSS pixels. */
const MARGIN = 220;

/** Navigations whose record has been highlighted. Going back to one does not highlight it again. */
const seen = new Set<string>();

interface Arrival {
  readonly arrived: string | undefined;
  /** Highlights a record that was saved in place. */
  readonly show: (recordId: string) => void;
}

/** Highlights the record that was just saved for two seconds, and scrolls it into view if necessary. */
export function useArrival(resource: Resource, shown: readonly Row[], height: number): Arrival {
  const { key, state } = useLocation();
  const saved = (state as Partial<WayBack> | null)?.saved;
  const serverId = useIdentities()?.get(identityKey(resource.name, saved ?? ''));
  const recordId = serverId === undefined ? saved : String(serverId);
  const place = recordId === undefined || seen.has(key) ? -1 : shown.findIndex((row) => row.recordId === recordId);
  const [arrived, setArrived] = useState<string>();
  useEffect(() => {
    if (place === -1) return undefined;
    // after the paint: the scroll position is restored first
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
