import { type ChangeDraft, type DraftAbout, FileUnreadableError, outbox, StorageFullError } from '../api/outbox.ts';
import type { OutboxEntry } from '../domain/outbox/vocabulary.ts';
import { notify } from '../stores/notifications.ts';
import { say, t } from '../language/t.ts';

/**
 * A user-facing message for a storage failure. `standing` is a sentence about the current state. Unexpected errors, such as
 * storage locked by the browser, are reported too: silence would look like success.
 */
export function storageFailure(failure: unknown, standing: string): string {
  if (failure instanceof StorageFullError || failure instanceof FileUnreadableError)
    return `${say(failure.message)} ${standing}`;
  if (failure instanceof Error && failure.name === 'LoggedOutError') return `${t('You are logged out.')} ${standing}`;
  console.error('This device’s storage failed.', failure);
  const cause = failure instanceof Error ? failure.message : String(failure);
  return t('This device’s storage isn’t responding. {standing} Try again. ({cause})', { standing, cause });
}

/**
 * Awaits outbox work without a form. If this device's storage fails, shows an alert with the current state and resolves to
 * undefined.
 */
export async function told<T>(work: Promise<T>, standing = t('Nothing was changed.')): Promise<T | undefined> {
  try {
    return await work;
  } catch (failure) {
    notify(storageFailure(failure, standing), { kind: 'error' });
    return undefined;
  }
}

/** Like `told`, for work without a result. Resolves to true on success. */
export async function toldDone(work: Promise<unknown>, standing?: string): Promise<boolean> {
  const done = await told(
    work.then(() => true),
    standing,
  );
  return done === true;
}

/** Enqueues changes in order. After a failure, earlier ones stay queued, and an alert says how many. */
export async function enqueueAll(
  changes: readonly { readonly draft: ChangeDraft; readonly about: DraftAbout }[],
): Promise<OutboxEntry[]> {
  const entries: OutboxEntry[] = [];
  for (const { draft, about } of changes) {
    const before = entries.length;
    const standing =
      before === 0
        ? t('Nothing was saved.')
        : t('Only {before} of {count} changes were saved.', { before, count: changes.length });
    const entry = await told(outbox.enqueue(draft, about), standing);
    if (entry === undefined) break;
    entries.push(entry);
  }
  return entries;
}

/** Follows a stored change for up to `forMilliseconds`. If that fails, returns the change as stored. */
export async function followed(entry: OutboxEntry, forMilliseconds?: number): Promise<OutboxEntry> {
  try {
    return await outbox.follow(entry.id, forMilliseconds);
  } catch (failure) {
    console.error('A change cannot be followed.', failure);
    return entry;
  }
}
