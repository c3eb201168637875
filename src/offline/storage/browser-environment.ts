import { cacheDatabase } from './cache-database.ts';
import { cacheNotes } from './cache-notes.ts';
import { engineOf } from './engine.ts';
import { removeFileCache } from './file-caches.ts';
import type { Environment, Notes, StorageRoom } from './environment.ts';
import { linkType } from './link-type.ts';
import { outboxDatabase } from './outbox-database.ts';

/** Parts of the environment that only a page has. */
export interface PageParts {
  readonly cookie: Environment['cookie'];
  readonly notes: readonly Notes[];
}

interface CookieJar {
  get(name: string): Promise<{ value?: string } | null>;
}

let shared: Environment | undefined;
let pageParts: PageParts | undefined;

/** The browser as an environment. One per page or worker. */
export function browserEnvironment(): Environment {
  shared ??= create();
  return shared;
}

/** Provides the parts that only a page has. Called before the first save or request; never called by a worker. */
export function providePageParts(parts: PageParts): void {
  pageParts = parts;
}

function create(): Environment {
  const { navigator, crypto } = globalThis;
  return {
    holder: crypto.randomUUID(),
    origin: globalThis.location.origin,
    outbox: outboxDatabase(),
    cache: cacheDatabase(),
    now: () => Date.now(),
    elapsed: () => performance.now(),
    random: () => Math.random(),
    uuid: () => crypto.randomUUID(),
    after: (milliseconds, work) => {
      const timer = setTimeout(() => void work(), milliseconds);
      return () => clearTimeout(timer);
    },
    fetch: (address, init) => fetch(address, init),
    online: () => navigator.onLine,
    linkType,
    cookie: (name) => (pageParts?.cookie ?? storedCookie)(name),
    ...('locks' in navigator ? { locks: navigator.locks } : {}),
    ...(navigator.storage === undefined ? {} : { room: storageRoom(navigator.storage) }),
    ...('caches' in globalThis && { caches: { delete: removeFileCache } }),
    notes: [...(pageParts?.notes ?? []), cacheNotes],
    keepsBlobs: engineOf(navigator.userAgent).keepsBlobs,
  };
}

/** A page's storage manager. The worker's type library has no `persist`. */
type Storage = Partial<StorageManager> & { readonly persist?: () => Promise<boolean> };

/** Support varies: Safari before 17 has no estimate, and a worker cannot request persistence. */
function storageRoom(storage: Storage): StorageRoom {
  const { estimate, persisted, persist } = storage;
  return {
    ...(estimate && { estimate: () => estimate.call(storage) }),
    ...(persisted && { persisted: () => persisted.call(storage) }),
    ...(persist && { persist: () => persist.call(storage) }),
  };
}

async function storedCookie(name: string): Promise<string | undefined> {
  const jar = (globalThis as { cookieStore?: CookieJar }).cookieStore;
  return (await jar?.get(name))?.value;
}
