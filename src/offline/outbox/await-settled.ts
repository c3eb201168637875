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
 * Resolves when the entry is done, refused, in conflict, or answered with a fault; else as it stands at the time limit, or as soon as it is plain
 * that nothing will be sent before it. Throws for an unknown id.
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
    // on a slow device the time may be over before the first look, and of the last one a page may have missed the word
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
        // a change that was withdrawn meanwhile is gone; the last that was seen of it is told
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
