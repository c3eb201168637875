import { CHANGES_PATH } from '../../domain/protocol/capabilities.ts';
import { classify } from '../../domain/outbox/classify.ts';
import { isAnsweredByKey } from '../../domain/outbox/delivery.ts';
import { filesOf, type OutboxEntry, type Outcome } from '../../domain/outbox/vocabulary.ts';
import { receiptOf } from '../outbox/confirm.ts';
import { ask } from './http.ts';
import type { Finding, Sender } from './sender.ts';

/**
 * A change with files whose answer was lost is asked for by its key, before its megabytes go out once more. Undefined when it has to
 * be sent (again). What has no files is as small as the question, and simply sent again.
 */
export async function lookUp(sender: Sender, entry: OutboxEntry): Promise<Finding | undefined> {
  if (!sender.server.changesByKey || !isAnsweredByKey(entry) || filesOf(entry).length === 0) return undefined;
  const outcome = await answerTo(sender, entry);
  if (outcome === undefined || outcome.kind === 'refused' || outcome.kind === 'conflict') return undefined;
  if (outcome.kind === 'done') {
    if (entry.change.op === 'create' && outcome.serverId === undefined) return undefined;
    return { do: 'finish', receipt: receiptOf(outcome, sender.environment.now()) };
  }
  // it is being carried out just now: that is for this change alone to wait for
  return { do: outcome.kind === 'busy' && outcome.scope === 'entry' ? 'settle' : 'postpone', outcome };
}

/** What the server answered to the change. Undefined where it has carried out none under that key. */
export async function answerTo(
  { environment, session }: Sender,
  { change, idempotencyKey }: OutboxEntry,
): Promise<Outcome | undefined> {
  const answer = await ask(environment, `${CHANGES_PATH}/${idempotencyKey}`, session.token);
  return answer?.status === 404 && answer.json ? undefined : classify(change.op, answer);
}
