import type { Delivery, OutboxEntry, Possibility } from './vocabulary.ts';

/** Whether a change may have reached the server: one fact of four possibilities, and what follows from it. */

type Delivered = Pick<OutboxEntry, 'delivery'>;

/** Nothing of it can be on the server. */
export const UNSENT: Delivery = [];

/** True when an attempt of this device's got no answer that tells. */
export function isDeliveryUnknown({ delivery }: Delivered): boolean {
  return delivery.includes('attempt');
}

/** True when a queue file holds a copy that another device may send. */
export function isExported({ delivery }: Delivered): boolean {
  return delivery.includes('export');
}

/** True when it may have been carried out, by an attempt of this device's or by a copy that another one has sent. */
export function mayBeDelivered(entry: Delivered): boolean {
  return isDeliveryUnknown(entry) || isExported(entry);
}

/** True when the server's answer under its key would be the answer to just this payload. */
export function isAnsweredByKey(entry: Delivered): boolean {
  return isDeliveryUnknown(entry) && !isExported(entry) && !entry.delivery.includes('repair');
}

/** The delivery with further possibilities. */
export function adding(delivery: Delivery, ...more: readonly Possibility[]): Delivery {
  return [...delivery, ...more.filter((one) => !delivery.includes(one))];
}

/** The delivery without possibilities that are ruled out now. */
export function rulingOut(delivery: Delivery, ...gone: readonly Possibility[]): Delivery {
  return delivery.filter((one) => !gone.includes(one));
}
