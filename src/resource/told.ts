import { type ChangeDraft, type DraftAbout, FileUnreadableError, outbox, StorageFullError } from '../api/outbox.ts';
import type { OutboxEntry } from '../domain/outbox/vocabulary.ts';
import { notify } from '../stores/notifications.ts';
import { t } from '../language/t.ts';

/**
 * Why this device could not keep something, for people. `standing` is a sentence that tells how things stand now. What nobody
 * foresaw (a storage that the browser has locked, say) is told too: silence would pass for success.
 */
export function storageFailure(failure: unknown, standing: string): string {
  if (failure instanceof StorageFullError || failure instanceof FileUnreadableError)
    return `${failure.message} ${standing}`;
  console.error('This device’s storage failed.', failure);
  const cause = failure instanceof Error ? failure.message : String(failure);
  return t('This device’s storage isn’t responding. {standing} Try again. ({cause})', { standing, cause });
}

/**
 * Waits for work on the outbox that no form stands for. Where this device's storage fails, an alert tells it, with how things
 * stand now, and the answer is undefined.
 */
export async function told<T>(work: Promise<T>, standing = t('Nothing was changed.')): Promise<T | undefined> {
  try {
    return await work;
  } catch (failure) {
    notify(storageFailure(failure, standing), { kind: 'error' });
    return undefined;
  }
}

/** The same for work without a result: true when it was done. */
export async function toldDone(work: Promise<unknown>, standing?: string): Promise<boolean> {
  const done = await told(
    work.then(() => true),
    standing,
  );
  return done === true;
}

/** Puts changes into the outbox, one after the other. At a failure those before it stay there, and an alert tells how many. */
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

/** Follows a stored change for a while; where it cannot be followed, that it is stored is all that is known. Milliseconds. */
export async function followed(entry: OutboxEntry, forMilliseconds?: number): Promise<OutboxEntry> {
  try {
    return await outbox.follow(entry.id, forMilliseconds);
  } catch (failure) {
    console.error('A change cannot be followed.', failure);
    return entry;
  }
}
