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

/** The server's ids of new records whose answer has not reached the sender yet, as far as `noteArrivals` has asked. */
export const liveArrivals: Live<Identities> = arrivals;

/**
 * A list that was just read may hold records that are still on their way as far as this device knows. Asks for each by its
 * key, so that the list shows it once. Quiet where that cannot be told: both rows are then shown.
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
 * The creates that were not answered yet, and what has an answer by now: a list may be shown a moment before the screens hear of that.
 * None where the outbox cannot be read: the list is shown all the same.
 */
async function createsOf(resource: Resource) {
  try {
    const { pendingEntries, identities } = await device();
    const unheard = (await pendingEntries()).filter((entry) => isUnheard(resource, entry));
    const answered = [...(await identities())].filter(([key]) => key.startsWith(identityKey(resource.name, '')));
    return { unheard, answered };
  } catch (failure) {
    console.warn('What is on its way cannot be told.', failure);
    return { unheard: [], answered: [] };
  }
}

/** A create that has left and was not answered yet. */
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
    // not arrived, or not to be told now
    if (failure instanceof ApiFailure) return undefined;
    throw failure;
  }
}
