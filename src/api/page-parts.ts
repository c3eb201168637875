import type { Notes } from '../offline/storage/environment.ts';

/** The raw value of a cookie of this page, as sent. */
export async function pageCookie(name: string): Promise<string | undefined> {
  const start = `${name}=`;
  const found = document.cookie.split('; ').find((cookie) => cookie.startsWith(start));
  return found?.slice(start.length);
}

/** Local storage, where it may be used: a browser can forbid it. */
export const pageNotes: Notes = {
  read: (key) => quietly(() => localStorage.getItem(key)) ?? undefined,
  write: (key, value) => quietly(() => localStorage.setItem(key, value)),
};

function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
