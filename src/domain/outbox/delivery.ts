import type { Delivery, OutboxEntry, Possibility } from './vocabulary.ts';

/** Whether a change may have reached the server: a set of up to four possibilities, and the questions it answers. */

type Delivered = Pick<OutboxEntry, 'delivery'>;

/** Nothing of the change can be on the server. */
export const UNSENT: Delivery = [];

/** True when an attempt by this device ended without a conclusive answer. */
export function isDeliveryUnknown({ delivery }: Delivered): boolean {
  return delivery.includes('attempt');
}

/** True when the change was exported, so another device may send it. */
export function isExported({ delivery }: Delivered): boolean {
  return delivery.includes('export');
}

/** True when the server may have executed the change, sent by this device or by one that imported a copy. */
export function mayBeDelivered(entry: Delivered): boolean {
  return isDeliveryUnknown(entry) || isExported(entry);
}

/** True when a lookup by idempotency key would answer for exactly this payload. */
export function isAnsweredByKey(entry: Delivered): boolean {
  return isDeliveryUnknown(entry) && !isExported(entry) && !entry.delivery.includes('repair');
}

/** Adds possibilities to a delivery. */
export function adding(delivery: Delivery, ...more: readonly Possibility[]): Delivery {
  return [...delivery, ...more.filter((one) => !delivery.includes(one))];
}

/** Removes possibilities that have been ruled out. */
export function rulingOut(delivery: Delivery, ...gone: readonly Possibility[]): Delivery {
  return delivery.filter((one) => !gone.includes(one));
}
