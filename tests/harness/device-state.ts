import type { BrowserContext } from '@playwright/test';

/** What a device holds for an origin. Local storage and cookies as Playwright keeps them. */
export interface DeviceState {
  readonly cookies: Parameters<BrowserContext['addCookies']>[0];
  readonly localStorage: Readonly<Record<string, string>>;
  readonly databases: readonly Database[];
}

interface Database {
  readonly name: string;
  readonly version: number;
  readonly stores: readonly Store[];
}

interface Store {
  readonly name: string;
  readonly keyPath: string | string[] | null;
  readonly autoIncrement: boolean;
  readonly indexes: readonly Index[];
  readonly rows: readonly unknown[];
}

interface Index {
  readonly name: string;
  readonly keyPath: string | string[];
  readonly options: IDBIndexParameters;
}

/** Runs in a page. Returns a database with all of its rows. */
export async function readDatabase(name: string): Promise<Database> {
  const done = <R>(request: IDBRequest<R>) =>
    new Promise<R>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error));
    });
  const opened = await done(indexedDB.open(name));
  const transaction = opened.transaction([...opened.objectStoreNames]);
  const stores = [...opened.objectStoreNames].map(async (storeName) => {
    const store = transaction.objectStore(storeName);
    const indexes = [...store.indexNames].map((indexName) => {
      const { keyPath, unique, multiEntry } = store.index(indexName);
      return { name: indexName, keyPath, options: { unique, multiEntry } };
    });
    const { keyPath, autoIncrement } = store;
    return { name: storeName, keyPath, autoIncrement, indexes, rows: await done(store.getAll()) };
  });
  const database = { name, version: opened.version, stores: await Promise.all(stores) };
  opened.close();
  return database;
}

/** Runs in a page of an origin without databases. Of its caches, only the precached app stays. */
export async function writeState({ localStorage: kept, databases }: Omit<DeviceState, 'cookies'>): Promise<void> {
  for (const name of await caches.keys()) if (!name.startsWith('workbox-precache')) await caches.delete(name);
  for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value);
  for (const { name, version, stores } of databases) {
    const opening = indexedDB.open(name, version);
    opening.addEventListener('upgradeneeded', () => {
      for (const { name: storeName, keyPath, autoIncrement, indexes, rows } of stores) {
        const store = opening.result.createObjectStore(storeName, { keyPath, autoIncrement });
        for (const index of indexes) store.createIndex(index.name, index.keyPath, index.options);
        for (const row of rows) store.add(row);
      }
    });
    const opened = await new Promise<IDBDatabase>((resolve, reject) => {
      opening.addEventListener('success', () => resolve(opening.result));
      opening.addEventListener('error', () => reject(opening.error));
    });
    opened.close();
  }
}
