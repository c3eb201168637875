import { CHANGES_PATH } from '../domain/protocol/capabilities.ts';
import { adding, isAnsweredByKey } from '../domain/outbox/delivery.ts';
import { identityKey } from '../domain/outbox/optimistic-view.ts';
import type { CreateChange, OutboxEntry } from '../domain/outbox/vocabulary.ts';
import type { Resource } from '../domain/resource.ts';
import type { Device } from './device.ts';
import { ApiFailure } from './failure.ts';
import { get } from './request.ts';

type Create = OutboxEntry & { readonly change: CreateChange };

/** A resource's creates that were sent and not answered yet, and the identities of those answered by now. */
export async function createsOf({ pendingEntries, identities }: Device, resource: Resource) {
  const unheard = (await pendingEntries()).filter((entry) => isUnheard(resource, entry));
  const answered = [...(await identities())].filter(([key]) => key.startsWith(identityKey(resource.name, '')));
  return { unheard, answered };
}

/** True for a create that was sent and not answered yet. */
function isUnheard({ name }: Resource, entry: OutboxEntry): entry is Create {
  const { change, state } = entry;
  if (change.op !== 'create' || change.resource !== name) return false;
  return isAnsweredByKey(state === 'sending' ? { delivery: adding(entry.delivery, 'attempt') } : entry);
}

/** The server id of a create by its identity. Undefined if it has not arrived, or nobody can tell now. */
export async function arrivalOf({ change, idempotencyKey }: Create): Promise<[string, number] | undefined> {
  try {
    const { id } = ((await get(`${CHANGES_PATH}/${idempotencyKey}`)).body ?? {}) as { id?: unknown };
    return typeof id === 'number' ? [identityKey(change.resource, change.recordId), id] : undefined;
  } catch (failure) {
    if (failure instanceof ApiFailure) return undefined;
    throw failure;
  }
}
