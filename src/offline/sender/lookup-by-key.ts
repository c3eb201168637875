import { CHANGES_PATH } from '../../domain/protocol/capabilities.ts';
import { classify } from '../../domain/outbox/classify.ts';
import { isAnsweredByKey } from '../../domain/outbox/delivery.ts';
import { filesOf } from '../../domain/outbox/vocabulary.ts';
import type { OutboxEntry, Outcome } from '../../domain/outbox/vocabulary.ts';
import { confirmationOf } from '../outbox/confirm.ts';
import { ask } from './http.ts';
import { finish, postpone, type Sender, settle } from './sender.ts';

/**
 * A change with files whose answer was lost is asked for by its key, before its megabytes go out once more. True when that was
 * all there is to do now. What has no files is as small as the question, and simply sent again.
 */
export async function toldByKey(sender: Sender, entry: OutboxEntry): Promise<boolean> {
  if (!sender.server.changesByKey || !isAnsweredByKey(entry) || filesOf(entry).length === 0) return false;
  const outcome = await answerTo(sender, entry);
  if (outcome === undefined || outcome.kind === 'refused' || outcome.kind === 'conflict') return false;
  if (outcome.kind === 'done') return arrived(sender, entry, outcome);
  // it is being carried out just now: that is for this change alone to wait for
  if (outcome.kind === 'busy' && outcome.scope === 'entry') await settle(sender, entry, outcome);
  else await postpone(sender, entry, outcome);
  return true;
}

/** What the server answered to the change. Undefined where it has carried out none under that key. */
export async function answerTo(
  { environment, session }: Sender,
  { change, idempotencyKey }: OutboxEntry,
): Promise<Outcome | undefined> {
  const answer = await ask(environment, `${CHANGES_PATH}/${idempotencyKey}`, session.token);
  return answer?.status === 404 && answer.json ? undefined : classify(change.op, answer);
}

async function arrived(sender: Sender, entry: OutboxEntry, outcome: Outcome & { kind: 'done' }): Promise<boolean> {
  if (entry.change.op === 'create' && outcome.serverId === undefined) return false;
  await finish(sender, entry, confirmationOf(outcome, sender.environment.now()));
  return true;
}
