import type { Encodable } from '../../protocol/encodable.ts';

/** Gives a list's answer, made anew when anything in the database changed since. */
export type KeptLists = (name: string, make: () => Promise<Encodable>) => Promise<Encodable>;

/** Pages of lists kept at most: enough for every list there is, and bounded when someone asks for page after page. */
const MOST_KEPT = 100;

/** Keeps the answers to list calls, compressed too, as long as `revisionOf` tells the same. */
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
