import type { Notes } from './environment.ts';

const CACHE = 'voltdesk-notes';

/** Notes in Cache Storage, for page and worker. Rejects if the browser lacks or blocks it. */
export const cacheNotes: Notes = {
  read: async (key) => (await (await opened()).match(address(key)))?.text(),
  write: async (key, value) => (await opened()).put(address(key), new Response(value)),
};

async function opened(): Promise<Cache> {
  return globalThis.caches.open(CACHE);
}

/** A URL that serves only as a key. It is never requested. */
function address(key: string): string {
  return `/notes/${key}`;
}
