import { useEffect, useState } from 'react';
import { messageOf } from '../../api/failure.ts';
import { readHistory } from '../../api/record-history.ts';
import { type HistoryEntry, type HistoryOwner, mayBeMore } from '../../domain/history.ts';

/** The known history of a record. */
export interface HistoryReading {
  readonly entries?: readonly HistoryEntry[];
  readonly failure?: string;
  readonly loading: boolean;
  readonly retry: () => void;
  /** Loads what happened before. Absent if nothing did. */
  readonly loadEarlier?: () => void;
}

interface Known {
  /** The request this answers. */
  readonly question: string;
  readonly entries?: readonly HistoryEntry[];
  readonly failure?: string;
  /** Nothing happened before the last entry. */
  readonly isWhole?: boolean;
}

/** Loads a record's history, and reloads it when the record's version changes. */
export function useHistory(owner: HistoryOwner, id: number, version: string): HistoryReading {
  const [attempt, setAttempt] = useState(1);
  const [known, setKnown] = useState<Known>();
  const question = `${owner.name}/${id} ${version} ${attempt}`;
  useEffect(() => {
    let current = true;
    const learn = async () => {
      const answer = await ask(owner, id);
      if (current) setKnown({ question, ...answer });
    };
    void learn();
    return () => {
      current = false;
    };
  }, [owner, id, question]);
  const { question: answered, ...answer } = known ?? { question: '' };
  const loadEarlier = async (shown: readonly HistoryEntry[]) => {
    const earlier = await ask(owner, id, shown.at(-1)?.id);
    setKnown((now) => {
      if (now?.question !== question || now.entries !== shown) return now;
      if (earlier.entries === undefined) return { ...now, ...earlier };
      return { question, entries: [...shown, ...earlier.entries], isWhole: earlier.entries.length === 0 };
    });
  };
  const { entries, isWhole } = answer as Omit<Known, 'question'>;
  const hasEarlier = entries !== undefined && isWhole !== true && mayBeMore(entries);
  return {
    ...answer,
    loading: answered !== question,
    retry: () => setAttempt(attempt + 1),
    ...(hasEarlier ? { loadEarlier: () => void loadEarlier(entries) } : {}),
  };
}

async function ask(owner: HistoryOwner, id: number, before?: number): Promise<Omit<Known, 'question'>> {
  try {
    return { entries: await readHistory(owner, id, before) };
  } catch (failure) {
    return { failure: messageOf(failure) };
  }
}
