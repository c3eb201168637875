import { sql } from 'kysely';
import type { Database } from './tables.ts';
import type { Encodable } from '../../protocol/encodable.ts';

/** Gives a list's answer, made anew when anything in the database changed since. */
export type KeptLists = (name: string, make: () => Promise<Encodable>) => Promise<Encodable>;

/** Pages of lists kept at most: enough for every list there is, and bounded when someone asks for page after page. */
const MOST_KEPT = 100;

/**
 * Keeps the answers to list calls, compressed too, as long as nothing in the database changes. SQLite tells: `data_version`
 * counts the commits of other processes, `total_changes` the rows changed by this one.
 */
export function keepLists(db: Database): KeptLists {
  const kept = new Map<string, { readonly revision: string; readonly answer: Promise<Encodable> }>();
  return async (name, make) => {
    const revision = await revisionOf(db);
    const known = kept.get(name);
    if (known?.revision === revision) return known.answer;
    if (kept.size >= MOST_KEPT) kept.clear();
    const answer = make();
    answer.catch(() => kept.delete(name));
    kept.set(name, { revision, answer });
    return answer;
  };
}

async function revisionOf(db: Database): Promise<string> {
  const { rows } = await sql<{ revision: string }>`
    SELECT data_version || '/' || total_changes() AS revision FROM pragma_data_version`.execute(db);
  return rows[0]?.revision ?? '';
}
