import type { Encodable } from '../../protocol/encodable.ts';

/** Returns the answer to a list call. Creates it again after any change in the database. */
export type KeptLists = (name: string, make: () => Promise<Encodable>) => Promise<Encodable>;

/** Maximum number of cached pages: enough for every list, and bounded if someone requests page after page. */
const MOST_KEPT = 100;

/** Caches the answers to list calls, compressed too, while `revisionOf` stays the same. */
export function keepLists(revisionOf: () => Promise<string>): KeptLists {
  const kept = new Map<string, { readonly revision: string; readonly answer: Promise<Encodable> }>();
  return async (name, make) => {
    const revision = await revisionOf();
    const known = kept.get(name);
    if (known?.revision === revision) return known.answer;
    if (kept.size >= MOST_KEPT) kept.clear();
    const answer = make();
    answer.catch(() => kept.delete(name));
    kept.set(name, { revision, answer });
    return answer;
  };
}
