import { useEffect, useState } from 'react';
import { ApiFailure } from '../../api/failure.ts';
import { readHistory } from '../../api/record-history.ts';
import { compare } from '../../domain/outbox/conflict.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { type HistoryOwner, lastAuthors } from '../../domain/history.ts';
import { useServerAbilities } from '../../stores/server-abilities.ts';
import { joinedNames } from './joined-names.ts';

/** The names of those who last changed a record, by field. */
export type Authors = Readonly<Record<string, string>>;

const UNKNOWN: Authors = {};

/**
 * Who last changed each field of a record, by server id; empty while that is unknown: offline, or without a history on the
 * server. Asked again for each `version`, and never for an undefined one.
 */
export function useAuthors(owner: HistoryOwner, id: number | undefined, version: string | undefined): Authors {
  const hasHistory = useServerAbilities(({ history }) => history);
  const [known, setKnown] = useState<{ readonly question: string; readonly authors: Authors }>();
  const question =
    hasHistory !== true || id === undefined || version === undefined ? undefined : `${owner.name}/${id} ${version}`;
  useEffect(() => {
    if (question === undefined || id === undefined) return;
    let current = true;
    const learn = async () => {
      const authors = await authorsOf(owner, id);
      if (current) setKnown({ question, authors });
    };
    void learn();
    return () => {
      current = false;
    };
  }, [owner, id, question]);
  return known !== undefined && known.question === question ? known.authors : UNKNOWN;
}

/** A failure is not reported: the texts then do without names. */
async function authorsOf(owner: HistoryOwner, id: number): Promise<Authors> {
  try {
    return lastAuthors(await readHistory(owner, id));
  } catch (failure) {
    if (failure instanceof ApiFailure) return UNKNOWN;
    throw failure;
  }
}

/** The names of those whose changes a local change is in conflict with, joined. Empty if any of them is unknown. */
export function namesOfOthers({ change, conflict }: OutboxEntry, authors: Authors): string {
  if (conflict?.theirs === undefined) return '';
  const { differences } = compare(change, conflict.theirs);
  const isDelete = change.op === 'delete';
  const names = differences.flatMap(({ field, changedBy }) =>
    changedBy === 'both' || (isDelete && changedBy === 'them') ? [authors[field]] : [],
  );
  return names.every((name) => name !== undefined) ? joinedNames([...new Set(names)]) : '';
}
