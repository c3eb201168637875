import { answeredFault } from '../../domain/outbox/status.ts';
import { isPaused } from '../../domain/outbox/pause.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { findEntry } from './entry-commands.ts';
import type { Environment } from '../storage/environment.ts';
import { readMeta } from '../storage/meta.ts';
import { watch } from '../storage/outbox-database.ts';
import { transact } from '../storage/transactions.ts';

/** How long a screen waits for the server before it says "Saved on this device", in milliseconds. */
const PATIENCE = 4_000;

/**
 * Resolves when the entry is done, refused, in conflict or has received a server error. Otherwise it resolves with the entry's current state at
 * the time limit, or earlier once the queue is paused beyond that limit. Throws for an unknown id.
 */
export function follow(environment: Environment, entryId: string, forMilliseconds = PATIENCE): Promise<OutboxEntry> {
  const { outbox, after, now } = environment;
  const limit = now() + forMilliseconds;
  return new Promise((resolve, reject) => {
    let latest: OutboxEntry | undefined;
    const settle = () => {
      stopWatching();
      stopWaiting();
      tell().catch(reject);
    };
    // on a slow device the time limit may pass before the first read, and a page may miss the last change notification
    const tell = async () => {
      const entry = (await findEntry(environment, entryId)) ?? latest;
      if (entry === undefined) throw new Error('This change is not in the outbox.');
      resolve(entry);
    };
    const stopWaiting = after(forMilliseconds, settle);
    const stopWatching = watch(
      () =>
        transact(outbox, 'r', [outbox.entries, outbox.meta], async () => ({
          entry: await outbox.entries.where('id').equals(entryId).first(),
          pause: await readMeta(outbox, 'pause'),
        })),
      ({ entry, pause }) => {
        // a change withdrawn in the meantime is gone: resolve with its last known state
        if (entry === undefined) return settle();
        latest = entry;
        if (isDecided(entry) || answeredFault(entry) !== undefined) settle();
        // a timer may be late: a pause that began after the limit counts too
        else if (entry.state !== 'sending' && isPaused(pause, Math.max(limit, now()))) settle();
      },
      reject,
    );
  });
}

function isDecided({ state }: OutboxEntry): boolean {
  return state === 'done' || state === 'attention';
}
