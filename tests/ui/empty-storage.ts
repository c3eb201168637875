import { Dexie } from 'dexie';
import 'fake-indexeddb/auto';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';

/** Makes this device as good as new: nothing is stored, and no cookie is set. Open databases keep what they had. */
export function emptyStorage(): void {
  for (const cookie of document.cookie.split('; ')) document.cookie = `${cookie.split('=', 1)[0]}=; max-age=0; path=/`;
  localStorage.clear();
  sessionStorage.clear();
  const indexedDB = new IDBFactory();
  Object.assign(globalThis, { indexedDB });
  Object.assign(Dexie.dependencies, { indexedDB, IDBKeyRange });
}
