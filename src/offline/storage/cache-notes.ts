import type { Notes } from './environment.ts';

const CACHE = 'voltdesk-notes';

/** Notes in the Cache Storage, for page and worker. Rejects where the browser has none or forbids it. */
export const cacheNotes: Notes = {
  read: async (key) => (await (await opened()).match(address(key)))?.text(),
  write: async (key, value) => (await opened()).put(address(key), new Response(value)),
};

async function opened(): Promise<Cache> {
  return globalThis.caches.open(CACHE);
}

/** No request ever goes there: it is only a key. */
function address(key: string): string {
  return `/notes/${key}`;
}
