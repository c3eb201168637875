import { attemptStarted, without } from '../domain/outbox/advance.ts';
import { classify } from '../domain/outbox/classify.ts';
import { requestOf } from '../domain/outbox/requests.ts';
import type { OutboxEntry, Outcome } from '../domain/outbox/vocabulary.ts';
import { FileLostError } from './errors.ts';
import { removeFiles } from './files.ts';
import { compareWithServer, isGone, withMerged } from './compare-with-server.ts';
import { learnNewId, prepareByReading } from './contract-only.ts';
import { readMeta, writeMeta } from './meta.ts';
import { readTheirs } from './reading.ts';
import { reconcile } from './reconcile.ts';
import { pack, type Parcel, send } from './send.ts';
import { finish, giveBack, put, type Sender, settle, underFence } from './sender.ts';

/** One change's turn: whatever has to be known first, the request, and what its answer means. */
export async function attempt(sender: Sender, entry: OutboxEntry): Promise<void> {
  const ready = sender.server.idempotencyKeys
    ? await prepareByVersion(sender, entry)
    : await prepareByReading(sender, entry);
  if (ready === undefined) return;
  const parcel = await packed(sender, ready);
  if (parcel !== undefined) await deliver(sender, entry, ready, parcel);
}

/** A base without a version (seen on another kind of server) is compared here; else the server compares. */
async function prepareByVersion(sender: Sender, entry: OutboxEntry): Promise<OutboxEntry | undefined> {
  const { change } = entry;
  const comparable = 'base' in change && change.base !== undefined && change.base.version === undefined;
  if (!comparable || entry.doubt || !sender.server.versions) return entry;
  return compareWithServer(sender, entry, change);
}

async function packed(sender: Sender, entry: OutboxEntry): Promise<Parcel | undefined> {
  try {
    return await pack(sender.environment, requestOf(entry.change));
  } catch (failure) {
    const code = failure instanceof FileLostError ? 'file-lost' : 'gone';
    const message = failure instanceof Error ? failure.message : 'It cannot be sent.';
    await giveBack(sender, entry, { code, message });
    return undefined;
  }
}

async function deliver(sender: Sender, planned: OutboxEntry, ready: OutboxEntry, parcel: Parcel): Promise<void> {
  const { environment, session } = sender;
  const sending = await begin(sender, planned, ready, parcel.timeout);
  if (sending === undefined) return;
  const answer = await send(environment, parcel, session.token, sending.idempotencyKey);
  const outcome = classify(sending.change.op, answer);
  if (outcome.kind === 'conflict') return answerConflict(sender, sending, outcome);
  if (outcome.kind !== 'done') return settle(sender, sending, outcome);
  if (sending.change.op === 'create' && outcome.serverId === undefined) {
    return learnNewId(sender, sending, outcome.message);
  }
  const { message, serverId, version } = outcome;
  const receipt = { at: environment.now(), message, ...(serverId === undefined ? {} : { serverId }) };
  return finish(sender, sending, { receipt, ...(version === undefined ? {} : { version }) });
}

/** Commits the attempt before its request goes out. Undefined when the change or the session is not the same any more. */
async function begin(
  sender: Sender,
  planned: OutboxEntry,
  ready: OutboxEntry,
  timeout: number,
): Promise<OutboxEntry | undefined> {
  const { environment, session } = sender;
  const { outbox, now } = environment;
  return underFence(sender, async () => {
    const current = await outbox.entries.get(planned.sequence);
    const signedIn = await readMeta(outbox, 'session');
    if (current === undefined || !isSame(current, planned) || signedIn?.token !== session.token) return undefined;
    const sending = attemptStarted(ready, now(), now() + timeout);
    await outbox.entries.put(sending);
    await removeFiles(outbox, droppedFiles(current, sending));
    await writeMeta(outbox, 'lastAttempt', now());
    return sending;
  });
}

/** The record has changed on the server (412): look, and go on by itself where no field was changed on both sides. */
async function answerConflict(sender: Sender, sending: OutboxEntry, outcome: Outcome): Promise<void> {
  const { change } = sending;
  if (!('base' in change)) return settle(sender, sending, outcome);
  const certain: OutboxEntry = { ...without(sending, 'doubt'), state: 'queued' };
  const reading = await readTheirs(sender, change);
  if (reading.kind === 'fault') return settle(sender, sending, reading.outcome);
  if (reading.kind === 'gone') return isGone(sender, certain);
  const result = reconcile(certain, change, reading.value, sender.environment.now());
  if (result.kind === 'conflict') return put(sender, result.entry);
  // the payload is another one now, and the last answer was definite: it gets a key of its own
  const idempotencyKey = sender.environment.uuid();
  return put(sender, { ...withMerged(result.entry, result.merged), idempotencyKey });
}

function isSame(current: OutboxEntry, planned: OutboxEntry): boolean {
  return (
    current.state === planned.state &&
    current.idempotencyKey === planned.idempotencyKey &&
    current.attempts === planned.attempts
  );
}

/** Files that were found on the server already need not be kept. */
function droppedFiles(before: OutboxEntry, after: OutboxEntry) {
  const kept = new Set('files' in after.change ? after.change.files.map(({ id }) => id) : []);
  return 'files' in before.change ? before.change.files.filter(({ id }) => !kept.has(id)) : [];
}
