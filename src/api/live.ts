import type { Identities } from '../domain/outbox/optimistic-view.ts';
import type { OutboxEntry } from '../domain/outbox/vocabulary.ts';
import type { QueueState } from '../offline/outbox/queries.ts';
import { onLinkType } from '../offline/storage/link-type.ts';
import { type Live, useLive } from '../stores/live-value.ts';
import { live } from './live-query.ts';

export { resetQueries } from './live-query.ts';

export const liveEntries: Live<OutboxEntry[]> = live((offline) => offline.pendingEntries());
const liveReceipts: Live<OutboxEntry[]> = live((offline) => offline.receipts());
export const liveQueueState: Live<QueueState> = live((offline) => offline.queueState(), onLinkType);
export const liveIdentities: Live<Identities> = live((offline) => offline.identities());

/** The signed-in administrator's unfinished changes, in order. Undefined until the device has answered. */
export function useEntries(): OutboxEntry[] | undefined {
  return useLive(liveEntries);
}

/** The signed-in administrator's confirmed changes, newest first. */
export function useReceipts(): OutboxEntry[] | undefined {
  return useLive(liveReceipts);
}

/** The queue as a whole. */
export function useQueueState(): QueueState | undefined {
  return useLive(liveQueueState);
}

/** The server ids of records created on this device. */
export function useIdentities(): Identities | undefined {
  return useLive(liveIdentities);
}
