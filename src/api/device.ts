import { OUTBOX_DATABASE } from '../offline/storage/outbox-name.ts';
import { noteStorage } from '../stores/storage-health.ts';
import { pageCookie, pageNotes } from './page-parts.ts';

/** What `src/offline/device.ts` exports: the outbox, the device's copies, the sender's copy of the session. */
export type Device = typeof import('../offline/device.ts');

let opened: Promise<Device> | undefined;

/**
 * The databases of this device. Their code is no part of the first paint: on a first visit there is nothing to read, and it
 * comes behind what there is to see; `early.ts` asks for it at once on every later one. Rejects where it cannot be had, and
 * asks again the next time.
 */
export function device(): Promise<Device> {
  opened ??= open();
  return opened;
}

/** True where this device was used before: an outbox is made with the first session. */
export async function hasOutbox(): Promise<boolean> {
  // an engine that cannot list its databases may have it
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
