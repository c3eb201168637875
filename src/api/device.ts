import { OUTBOX_DATABASE } from '../offline/storage/outbox-name.ts';
import { noteStorage } from '../stores/storage-health.ts';
import { pageCookie, pageNotes } from './page-parts.ts';

/** The exports of `src/offline/device.ts`: the outbox, the device's copies, and the sender's copy of the session. */
export type Device = typeof import('../offline/device.ts');

let opened: Promise<Device> | undefined;

/**
 * Loads the databases of this device. Their code is not needed for the first paint: on a first visit there is nothing to
 * read, and it loads after the visible content. On later visits `early.ts` requests it at once. Rejects if it cannot be
 * loaded, and tries again on the next call.
 */
export function device(): Promise<Device> {
  opened ??= open();
  return opened;
}

/** True if this device was used before. The first session creates the outbox. */
export async function hasOutbox(): Promise<boolean> {
  // an engine that cannot list its databases may have one
  if (typeof indexedDB.databases !== 'function') return true;
  const databases = await indexedDB.databases();
  return databases.some(({ name }) => name === OUTBOX_DATABASE);
}

async function open(): Promise<Device> {
  try {
    const loaded = await import('../offline/device.ts');
    loaded.providePageParts({ cookie: pageCookie, notes: pageNotes });
    loaded.watchStorage(noteStorage);
    if (loaded.engineOf(navigator.userAgent).keepsTransactions) loaded.leaveNothingOpen(window);
    return loaded;
  } catch (failure) {
    opened = undefined;
    throw failure;
  }
}
