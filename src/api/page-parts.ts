import { NOTE_COOKIE, NOTE_LASTS } from '../domain/protocol/device-notes.ts';
import type { Notes } from '../offline/storage/environment.ts';

/** The raw value of a cookie of this page, as it is sent. */
export async function pageCookie(name: string): Promise<string | undefined> {
  const start = `${name}=`;
  const found = document.cookie.split('; ').find((cookie) => cookie.startsWith(start));
  return found?.slice(start.length);
}

/** Local storage, and a cookie that Voltdesk's server renews, because Safari deletes script-written storage after a week. */
export const pageNotes: readonly Notes[] = [
  {
    read: async (key) => localStorage.getItem(key) ?? undefined,
    write: async (key, value) => localStorage.setItem(key, value),
  },
  {
    read: (key) => pageCookie(NOTE_COOKIE + key),
    write: async (key, value) => {
      // `document.cookie`, because Firefox and older Safari versions lack the asynchronous cookie store
      document.cookie = `${NOTE_COOKIE}${key}=${value}; path=/; max-age=${NOTE_LASTS}; samesite=lax`;
    },
  },
];
