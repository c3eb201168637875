import { CHANGES_PATH } from '../domain/protocol/capabilities.ts';
import { adding, isAnsweredByKey } from '../domain/outbox/delivery.ts';
import { type Identities, identityKey } from '../domain/outbox/optimistic-view.ts';
import type { CreateChange, OutboxEntry } from '../domain/outbox/vocabulary.ts';
import type { Resource } from '../domain/resource.ts';
import { type Live, openLive } from '../stores/live-value.ts';
import { useServerAbilities } from '../stores/server-abilities.ts';
import { device } from './device.ts';
import { ApiFailure } from './failure.ts';
import { get } from './request.ts';

type Create = OutboxEntry & { readonly change: CreateChange };

const arrivals = openLive<Identities>();

/** Server ids of new records whose answer has not reached the sender, as far as `noteArrivals` has looked them up. */
export const liveArrivals: Live<Identities> = arrivals;

/**
 * Finds creates that have already arrived. A list just read may contain records that this device still considers in flight.
 * Looks up each by idempotency key, so that the list shows it once. Failures are ignored, and both rows are then shown.
 */
export async function noteArrivals(resource: Resource): Promise<void> {
  if (!useServerAbilities.getState().changesByKey) return;
  const { unheard, answered } = await createsOf(resource);
  const found = await Promise.all(unheard.map(arrivalOf));
  const known = arrivals.value() ?? new Map<string, number>();
  const arrived = [...found, ...answered].filter((arrival) => arrival !== undefined);
  const fresh = arrived.filter(([key]) => !known.has(key));
  if (fresh.length > 0) arrivals.tell(new Map([...known, ...fresh]));
}

/**
 * Returns the unanswered creates, and those answered by now, because a list may be shown before the screens learn of the
 * answer. Returns none if the outbox cannot be read, so that the list is still shown.
 */
async function createsOf(resource: Resource) {
  try {
    const { pendingEntries, identities } = await device();
    const unheard = (await pendingEntries()).filter((entry) => isUnheard(resource, entry));
    const answered = [...(await identities())].filter(([key]) => key.startsWith(identityKey(resource.name, '')));
    return { unheard, answered };
  } catch (failure) {
    console.warn('Cannot read the upload status.', failure);
    return { unheard: [], answered: [] };
  }
}

/** True for a create that was sent and not answered yet. */
function isUnheard({ name }: Resource, entry: OutboxEntry): entry is Create {
  const { change, state } = entry;
  if (change.op !== 'create' || change.resource !== name) return false;
  return isAnsweredByKey(state === 'sending' ? { delivery: adding(entry.delivery, 'attempt') } : entry);
}

async function arrivalOf({ change, idempotencyKey }: Create): Promise<[string, number] | undefined> {
  try {
    const { id } = ((await get(`${CHANGES_PATH}/${idempotencyKey}`)).body ?? {}) as { id?: unknown };
    return typeof id === 'number' ? [identityKey(change.resource, change.recordId), id] : undefined;
  } catch (failure) {
    // not arrived, or currently unknown
    if (failure instanceof ApiFailure) return undefined;
    throw failure;
  }
}
