import { faultSince, statusOf } from '../domain/outbox/status.ts';
import { outbox } from '../api/outbox.ts';
import { keptAfterFault } from '../domain/messages.ts';
import type { OutboxEntry } from '../domain/outbox/vocabulary.ts';
import { notify } from '../stores/notifications.ts';
import { savedOnDevice } from './saved-words.ts';
import { told } from './told.ts';
import { t } from '../language/t.ts';

/** Reports the outcome of a deletion, of a record or an image: the server's message, or that it waits on this device. */
export async function tellOutcome(entry: OutboxEntry): Promise<void> {
  if (entry.state === 'done') {
    notify(entry.receipt?.message ?? '', { kind: 'success' });
  } else if (statusOf(entry) === 'refused') {
    // The user saw the refusal: the record is unchanged, so nothing stays queued.
    await told(outbox.withdraw(entry), t('The refused change stays in the outbox.'));
    notify(entry.reason?.message ?? t('The server refused this change.'), { kind: 'error' });
  } else if (entry.conflict !== undefined) {
    const { title } = entry;
    notify(t('Not deleted yet: someone has changed “{title}” since. See the Outbox.', { title }), { kind: 'error' });
  } else {
    const fault = faultSince(entry.createdAt, entry);
    if (fault === undefined) notify(await savedOnDevice(entry), { kind: 'info' });
    else notify(keptAfterFault(fault), { kind: 'error' });
  }
}
