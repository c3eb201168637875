import { device } from '../api/device.ts';
import { SAVED_BEHIND_PORTAL, SAVED_FOR_SIGN_IN, SAVED_FOR_WIFI, SAVED_ON_DEVICE } from '../domain/messages.ts';
import { isForWifi } from '../domain/outbox/progress.ts';
import type { OutboxEntry } from '../domain/outbox/vocabulary.ts';

/** Says that a stored change waits on this device, and what it waits for as far as the queue knows. */
export async function savedOnDevice(entry: OutboxEntry): Promise<string> {
  try {
    const { pause, travel } = await (await device()).queueState();
    if (pause?.cause === 'signed-out') return SAVED_FOR_SIGN_IN;
    if (pause?.portal) return SAVED_BEHIND_PORTAL;
    return isForWifi(entry, travel) ? SAVED_FOR_WIFI : SAVED_ON_DEVICE;
  } catch {
    // what counts is that the change is stored
    return SAVED_ON_DEVICE;
  }
}
