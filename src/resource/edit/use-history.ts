import { useEffect, useState } from 'react';
import { messageOf } from '../../api/failure.ts';
import { readHistory } from '../../api/record-history.ts';
import type { HistoryEntry, HistoryOwner } from '../../domain/history.ts';

/** The known history of a record. */
export interface HistoryReading {
  readonly entries?: readonly HistoryEntry[];
  readonly failure?: string;
  readonly loading: boolean;
  readonly retry: () => void;
}

interface Known {
  /** The request this answers. */
  readonly question: string;
  readonly entries?: readonly HistoryEntry[];
  readonly failure?: string;
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
  return { ...answer, loading: answered !== question, retry: () => setAttempt(attempt + 1) };
}

async function ask(owner: HistoryOwner, id: number): Promise<Omit<Known, 'question'>> {
  try {
    return { entries: await readHistory(owner, id) };
  } catch (failure) {
    return { failure: messageOf(failure) };
  }
}
