import { isExported } from '../../domain/outbox/delivery.ts';
import { apply } from '../../domain/outbox/lifecycle.ts';
import { filesOf } from '../../domain/outbox/vocabulary.ts';
import type { FileReference, OutboxEntry, Outcome, UpdateChange } from '../../domain/outbox/vocabulary.ts';
import { resourceOf } from '../../domain/resources/index.ts';
import { missingFiles } from './arrived-images.ts';
import { removeFiles } from '../storage/files.ts';
import { type CreateEntry, isCreate, mendedBehind } from '../outbox/repaired.ts';
import { type Reading, readRecord } from './reading.ts';
import { finish, type Sender, settle, underFence } from './sender.ts';
import { answerTo } from './lookup-by-key.ts';

const CANNOT_TELL: Outcome = { kind: 'uncertain', status: 500, message: 'The server cannot tell what became of this.' };

/**
 * The server knows the key with another payload: the change had arrived as it was first sent, and was mended since, here or on a
 * device that a copy went to. What was mended goes on as an edit of its own, with the files whose bytes the server does not hold.
 */
export async function hadArrived(sender: Sender, sending: OutboxEntry): Promise<void> {
  if (isCreate(sending)) return createHadArrived(sender, sending);
  const { change } = sending;
  const missing =
    change.op === 'update' ? await missingFrom(sender, change, change.recordId, change.base.imageIds) : NOTHING;
  if (missing.kind !== 'found') return settle(sender, sending, missing.outcome);
  await goOn(sender, sending, missing.value);
}

const NOTHING: Reading<readonly FileReference[]> & { kind: 'found' } = { kind: 'found', value: [] };

/** Its key tells the record's id: another record may look just like it. */
async function createHadArrived(sender: Sender, sending: CreateEntry): Promise<void> {
  const { environment } = sender;
  const outcome = (sender.server.changesByKey ? await answerTo(sender, sending) : undefined) ?? CANNOT_TELL;
  if (outcome.kind !== 'done' || outcome.serverId === undefined) return settle(sender, sending, waiting(outcome));
  const missing = await missingFrom(sender, sending.change, String(outcome.serverId), []);
  if (missing.kind !== 'found') return settle(sender, sending, missing.outcome);
  const receipt = { at: environment.now(), message: 'It had arrived.', serverId: outcome.serverId };
  await underFence(sender, async () => {
    const stored = await environment.outbox.entries.get(sending.sequence);
    const create = stored === undefined ? sending : await mendedBehind(environment, sending, missing.value);
    await finish(sender, create, { receipt });
  });
}

/** What no server answers to the question for a change that it has carried out leaves everything as it was. */
function waiting(outcome: Outcome): Outcome {
  return outcome.kind === 'done' || outcome.kind === 'refused' || outcome.kind === 'conflict' ? CANNOT_TELL : outcome;
}

/** The change's files that the record does not hold; all of them where it is gone, which its own turn will tell. */
async function missingFrom(
  sender: Sender,
  change: Pick<UpdateChange, 'resource' | 'files'>,
  recordId: string,
  knownImages: readonly number[],
): Promise<Exclude<Reading<readonly FileReference[]>, { kind: 'gone' }>> {
  if (change.files.length === 0) return NOTHING;
  const record = await readRecord(sender, resourceOf(change.resource), recordId);
  if (record.kind === 'fault') return record;
  return {
    kind: 'found',
    value: record.kind === 'gone' ? change.files : missingFiles(change.files, record.value, knownImages),
  };
}

async function goOn(sender: Sender, sending: OutboxEntry, missing: readonly FileReference[]): Promise<void> {
  const { outbox, uuid } = sender.environment;
  const { change } = sending;
  const kept = 'files' in change ? { ...change, files: missing } : change;
  await underFence(sender, async () => {
    const stored = await outbox.entries.get(sending.sequence);
    // discarded meanwhile
    if (stored === undefined) return;
    const rest = apply(sending, { event: 'key-reused', change: kept, idempotencyKey: uuid() });
    await outbox.entries.put(isExported(stored) ? apply(rest, { event: 'export' }) : rest);
    await removeFiles(
      outbox,
      filesOf(sending).filter((file) => !missing.includes(file)),
    );
  });
}
