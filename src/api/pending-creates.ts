import type { Identities } from '../domain/outbox/optimistic-view.ts';
import type { Resource } from '../domain/resource.ts';
import { type Live, openLive } from '../stores/live-value.ts';
import { useServerAbilities } from '../stores/server-abilities.ts';
import { device } from './device.ts';

const arrivals = openLive<Identities>();

/** Server ids of new records whose answer has not reached the sender, as far as `noteArrivals` has looked them up. */
export const liveArrivals: Live<Identities> = arrivals;

/**
 * Finds creates that have already arrived. A list just read may contain records that this device still considers in flight.
 * Looks up each by idempotency key, so that the list shows it once. Failures are ignored, and both rows are then shown.
 */
export async function noteArrivals(resource: Resource): Promise<void> {
  if (!useServerAbilities.getState().changesByKey) return;
  const creates = await createsOf(resource);
  if (creates === undefined) return;
  const found = await Promise.all(creates.unheard.map(creates.arrivalOf));
  const arrived = [...found, ...creates.answered].filter((arrival) => arrival !== undefined);
  const known = arrivals.value() ?? new Map<string, number>();
  const fresh = arrived.filter(([key]) => !known.has(key));
  if (fresh.length > 0) arrivals.tell(new Map([...known, ...fresh]));
}

/**
 * Returns the unanswered creates, and those answered by now, because a list may be shown before the screens learn of the
 * answer. Returns undefined if the outbox cannot be read, so that the list is still shown. The code is asked for together
 * with the outbox's own, so that it costs no round trip.
 */
async function createsOf(resource: Resource) {
  try {
    const [opened, arrived] = await Promise.all([device(), import('./arrived-creates.ts')]);
    return { ...(await arrived.createsOf(opened, resource)), arrivalOf: arrived.arrivalOf };
  } catch (failure) {
    console.warn('Cannot read the upload status.', failure);
    return undefined;
  }
}
