import type { OutboxEntry } from '../domain/outbox/vocabulary.ts';
import type { ChangeDraft, DraftAbout } from './outbox/change-draft.ts';
import { enqueue as store } from './outbox/enqueue.ts';
import { repair as replace } from './outbox/repair.ts';
import type { Environment } from './storage/environment.ts';
import { LoggedOutError } from './storage/errors.ts';
import { maySaveFor } from './storage/session.ts';

/** The saves of a page. What a user left open in a tab is not saved after their log-out, whoever presses Save. */

/** `enqueue` (outbox/enqueue.ts). Throws LoggedOutError too. */
export async function enqueue(here: Environment, draft: ChangeDraft, about: DraftAbout): Promise<OutboxEntry> {
  await assertSignedIn(here, about);
  return store(here, draft, about);
}

/** `repair` (outbox/repair.ts). Throws LoggedOutError too. */
export async function repair(
  here: Environment,
  entryId: string,
  draft: ChangeDraft,
  about: DraftAbout,
): Promise<OutboxEntry> {
  await assertSignedIn(here, about);
  return replace(here, entryId, draft, about);
}

async function assertSignedIn(here: Environment, { administrator }: DraftAbout): Promise<void> {
  if (!(await maySaveFor(administrator, here))) throw new LoggedOutError();
}
