import { useCallback, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../api/failure.ts';
import { readTrashPage, trashCopy } from '../../api/trash.ts';
import type { TrashEntry, TrashPage, TrashPart } from '../../domain/protocol/trash.ts';
import { onReturn } from '../../stores/connection.ts';

/** What the screen knows of the trash. */
export interface TrashReading {
  /** Undefined until something is known. */
  readonly entries: readonly TrashEntry[] | undefined;
  readonly total: number;
  /** Why the server's list is not shown. */
  readonly failure: string | undefined;
  readonly loading: boolean;
  /** When the shown copy was read, if it is not the server's current answer. Epoch milliseconds. */
  readonly copiedAt: number | undefined;
  reload(): Promise<void>;
  loadMore(): Promise<void>;
}

interface Known {
  readonly page?: TrashPage;
  readonly failure?: string;
  readonly copiedAt?: number;
}

/** How long a search rests before it is asked. Milliseconds. */
const REST = 250;

/** Reads the trash of a kind, or of all kinds. Until the server answers, it shows what this device last saw. */
export function useTrash({ kind, search = '' }: Pick<TrashPart, 'kind' | 'search'>): TrashReading {
  const [known, setKnown] = useState<Known>({});
  const [loading, setLoading] = useState(true);
  const asked = useRef(0);
  const read = useCallback(async () => {
    asked.current += 1;
    const number = asked.current;
    setLoading(true);
    const part = { ...(kind === undefined ? {} : { kind }), search };
    const answer: Known = await readTrashPage(part).then(
      (page) => ({ page }),
      async (failure: unknown) => ({ ...(await copyOf(part)), failure: messageOf(failure) }),
    );
    if (number !== asked.current) return;
    setKnown(answer);
    setLoading(false);
  }, [kind, search]);
  useEffect(() => {
    const timer = setTimeout(() => void read(), search === '' ? 0 : REST);
    const stop = onReturn(() => void read());
    return () => {
      clearTimeout(timer);
      stop();
      asked.current += 1;
    };
  }, [read, search]);
  const { page, failure, copiedAt } = known;
  const loadMore = async () => {
    const before = page?.entries.at(-1)?.entry;
    if (page === undefined || before === undefined) return;
    const number = asked.current;
    setLoading(true);
    const part = { ...(kind === undefined ? {} : { kind }), search, before };
    const answer: Known = await readTrashPage(part).then(
      (more) => ({ page: { total: more.total, entries: [...page.entries, ...more.entries] } }),
      (caught: unknown) => ({ page, failure: messageOf(caught) }),
    );
    if (number !== asked.current) return;
    setKnown(answer);
    setLoading(false);
  };
  return { entries: page?.entries, total: page?.total ?? 0, failure, loading, copiedAt, reload: read, loadMore };
}

/** The matching part of what this device last saw. */
async function copyOf({ kind, search = '' }: TrashPart): Promise<Known> {
  const copy = await trashCopy();
  if (copy === undefined) return {};
  const sought = search.trim().toLowerCase();
  const entries = copy.page.entries.filter(
    ({ resource, title }) => (kind ?? resource) === resource && title.toLowerCase().includes(sought),
  );
  return { page: { entries, total: entries.length }, copiedAt: copy.fetchedAt };
}
