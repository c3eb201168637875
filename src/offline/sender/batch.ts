import { type Answer, classify, isProxyRefusal } from '../../domain/outbox/classify.ts';
import { isAnsweredByKey } from '../../domain/outbox/delivery.ts';
import { apply } from '../../domain/outbox/lifecycle.ts';
import type { Companion } from '../../domain/outbox/together.ts';
import { travellingFiles } from '../../domain/outbox/uploads.ts';
import { type FileReference, filesOf, isLocalId, type OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import type { Capabilities } from '../../domain/protocol/capabilities.ts';
import { receiptOf } from '../outbox/confirm.ts';
import type { Environment } from '../storage/environment.ts';
import { FileLostError } from '../storage/errors.ts';
import { openFile } from '../storage/files.ts';
import { writeMeta } from '../storage/meta.ts';
import { ANTI_FORGERY_EXPIRED, cookieAfter } from './anti-forgery.ts';
import { transact } from '../storage/transactions.ts';
import { meaningOf } from './attempt.ts';
import { postBatch } from './batch-answers.ts';
import { type BatchMember, wireSize } from './batch-body.ts';
import { answersTo, isDefinite, lacksField, meaningByKey, needsComparing } from './keyed.ts';
import { carried, cutShort, pieceSize } from './link.ts';
import {
  type Confirmation,
  asStored,
  confirmAll,
  deferAfterError,
  isAsRead,
  isSignedIn,
  record,
  reportAll,
  type Sender,
  settleAll,
  underFence,
} from './sender.ts';
import { isServerThere } from './server-kind.ts';
import { steady } from '../storage/steady.ts';
import { timeoutOf } from './time-limits.ts';

/** Until when changes go one by one, in epoch milliseconds: the last batch as a whole failed or went unanswered. */
const alone = new WeakMap<Environment, number>();
const ALONE_AFTER_SILENCE = 10_000;
const ALONE_AFTER_FAULT = 5 * 60_000;

/** Batches in flight. */
export interface UnderWay {
  /** Oldest first. Each resolves with whether all its changes were answered. */
  readonly batches: Promise<boolean>[];
  /** How many may be in flight: one, until a batch has received all its answers. */
  most: number;
}

/** While the answers of one batch come back, the next one goes out. */
const MOST_UNDER_WAY = 2;

/** Resolves once at most `left` batches are in flight. After one was cut, waits for all. */
export async function untilAnswered(way: UnderWay, left = 0): Promise<void> {
  while (way.batches.length > left) {
    const isAnswered = (await way.batches[0]) === true;
    way.batches.shift();
    way.most = isAnswered ? MOST_UNDER_WAY : 1;
    if (!isAnswered) left = 0;
  }
}

/**
 * Sends ready changes in one request. Returns false if fewer than two fit together: then the first one has to be sent by itself.
 * Resolves when another batch may start.
 */
export async function sendTogether(sender: Sender, way: UnderWay, ready: () => Companion[]): Promise<boolean> {
  const { batches } = sender.server;
  const { environment } = sender;
  if (batches === undefined || steady(environment) < (alone.get(environment) ?? 0)) return false;
  const group = fitting(sender, ready(), batches);
  if (group.length < 2) return false;
  const members = await opened(sender, await unanswered(sender, group));
  const sending = await begin(sender, members);
  if (sending.length === 0) return true;
  const answered = sendAndKeep(sender, sending);
  // `untilAnswered` reports a failure
  answered.catch(() => undefined);
  way.batches.push(answered);
  // two large batches would share the link and delay small changes twice
  await untilAnswered(way, bytesOf(sending) < TELLING_BYTES ? way.most - 1 : 0);
  return true;
}

/** The leading changes that fit one request and need no preparation. */
function fitting(sender: Sender, ready: readonly Companion[], limits: NonNullable<Capabilities['batches']>) {
  let room = Math.min(limits.maxBytes, pieceSize(sender.environment));
  const group: Companion[] = [];
  for (const companion of ready) {
    if (!needsNothing(sender, companion)) break;
    room -= filesAlongside(sender, companion.entry).reduce((sum, { size }) => sum + size, wireSize(companion));
    if (room < 0 || group.length === limits.maxChanges) break;
    group.push(companion);
  }
  return inLine(group);
}

/** False for a change of a record that was never created, and for one that may have to be rebased: those get an attempt of their own. */
function needsNothing(sender: Sender, { entry, change, after }: Companion): boolean {
  if (after !== undefined) return !lacksField(change);
  if (entry.discarded !== undefined) return false;
  return (change.op === 'create' || !isLocalId(change.recordId)) && !needsComparing(sender, entry);
}

/** Drops changes whose predecessor is not in the group. */
function inLine<C extends Companion>(companions: readonly C[]): C[] {
  const keys = new Set<string>();
  return companions.filter(({ entry, after }) => {
    const goes = after === undefined || keys.has(after.idempotencyKey);
    if (goes) keys.add(entry.idempotencyKey);
    return goes;
  });
}

function filesAlongside({ travel }: Sender, entry: OutboxEntry): FileReference[] {
  const ahead = travellingFiles(entry, travel);
  return filesOf(entry).filter((file) => !ahead.includes(file));
}

/** Looks up changes with files and a lost answer in one question, and records what is known. Returns the ones still to send. */
async function unanswered(sender: Sender, group: readonly Companion[]): Promise<readonly Companion[]> {
  const entries = group.map(({ entry }) => entry);
  const doubtful = entries.filter((entry) => isAnsweredByKey(entry) && filesOf(entry).length > 0);
  if (doubtful.length === 0) return group;
  const answers = await answersTo(sender, doubtful);
  if ('fault' in answers) {
    for (const entry of doubtful.slice(0, 1)) await record(sender, entry, { do: 'postpone', outcome: answers.fault });
    return [];
  }
  const told = new Set<OutboxEntry>();
  for (const entry of doubtful) {
    const finding = meaningByKey(sender, entry, answers.outcomes.get(entry.idempotencyKey));
    if (finding === undefined) continue;
    told.add(entry);
    await record(sender, entry, finding);
  }
  // the successor of a change that is done has to learn its record's id and version: the next snapshot has them
  return inLine(group.filter(({ entry }) => !told.has(entry)));
}

/** Opens the inline files. A change whose stored bytes differ from what was saved needs attention. */
async function opened(sender: Sender, group: readonly Companion[]): Promise<BatchMember[]> {
  const members: BatchMember[] = [];
  for (const companion of group) {
    const { entry } = companion;
    try {
      const files = new Map<string, File>();
      for (const file of filesAlongside(sender, entry))
        files.set(file.sha256, await openFile(sender.environment, file));
      members.push({ ...companion, files });
    } catch (failure) {
      if (failure instanceof FileLostError) {
        const reason = { code: 'file-lost', message: failure.message } as const;
        await record(sender, entry, { do: 'report', event: { event: 'held', reason } });
      } else await deferAfterError(sender, entry, failure);
    }
  }
  return members;
}

/** Commits the attempts of all unchanged members together, before their request goes out. */
async function begin(sender: Sender, members: readonly BatchMember[]): Promise<readonly BatchMember[]> {
  const { environment } = sender;
  const { outbox, now } = environment;
  const began = steady(environment);
  if (members.length === 0) return [];
  return underFence(sender, async () => {
    const [current, signedIn] = await Promise.all([
      outbox.entries.bulkGet(members.map(({ entry }) => entry.sequence)),
      isSignedIn(sender),
    ]);
    if (!signedIn) return [];
    const event = { event: 'attempt', now: began, timesOutAt: began + timeoutOf(bytesOf(members)) } as const;
    const begun = inLine(members.filter(({ entry }, index) => isAsRead(current[index], entry))).map((member) => ({
      ...member,
      entry: apply(member.entry, event),
    }));
    await Promise.all([
      outbox.entries.bulkPut(begun.map(({ entry }) => entry)),
      writeMeta(outbox, 'lastAttempt', now()),
    ]);
    return begun;
  });
}

interface Answered {
  readonly member: BatchMember;
  readonly answer: Answer;
}

/** Sends the batch and records its answers. Returns true if every change was answered. */
async function sendAndKeep(sender: Sender, members: readonly BatchMember[]): Promise<boolean> {
  const open = new Map(members.map((member) => [member.entry.idempotencyKey, member]));
  const later: Answered[] = [];
  const began = sender.environment.now();
  const { instead, cookie } = await postBatch(sender, members, async (answers) => {
    if (open.size === members.length) measured(sender, bytesOf(members), began);
    const known = answers.flatMap(({ key, answer }) => {
      const member = open.get(key);
      open.delete(key);
      return member === undefined ? [] : [{ member, answer }];
    });
    later.push(...(await keepDone(sender, known)));
  });
  for (const { member, answer } of later) {
    const entry = await asItStands(sender, member);
    await record(sender, entry, await meaningOf(sender, entry, answer));
  }
  if (open.size > 0) {
    const left = [...open.values()].map((member) => asItStands(sender, member));
    await keepUnanswered(sender, await Promise.all(left), instead, open.size === members.length);
  }
  // a gateway passes on each 419 of its back end, after the headers that could set a cookie have gone out
  if (later.some(({ answer }) => answer.status === ANTI_FORGERY_EXPIRED))
    await cookieAfter(sender.environment, sender.session.token, cookie);
  return open.size === 0;
}

/** A smaller batch is dominated by the round trip and says nothing about the link. */
const TELLING_BYTES = 64 * 1024;

function measured({ environment }: Sender, bytes: number, began: number): void {
  if (bytes >= TELLING_BYTES) carried(environment, bytes, environment.now() - began);
}

/** Records confirmations together. Returns the other answers: they may need a read first. */
async function keepDone(sender: Sender, answers: readonly Answered[]): Promise<Answered[]> {
  const done: Confirmation[] = [];
  const others: Answered[] = [];
  for (const { member, answer } of answers) {
    const outcome = classify(member.change.op, answer);
    if (outcome.kind === 'done')
      done.push({ ...member, receipt: receiptOf(outcome, sender.environment.now(), sender.server) });
    else others.push({ member, answer });
  }
  if (done.length > 0) await confirmAll(sender, done);
  return others;
}

/** A change in flight, as stored. Its predecessor's confirmation has given it the record's id and version. */
async function asItStands(sender: Sender, { entry, after }: Companion): Promise<OutboxEntry> {
  if (after === undefined) return entry;
  const { outbox } = sender.environment;
  return transact(outbox, 'r', [outbox.entries], () => asStored(outbox, entry));
}

/** Settles the changes of a batch without an answer of their own. `instead` is the answer to the batch as a whole. */
async function keepUnanswered(
  sender: Sender,
  entries: readonly OutboxEntry[],
  instead: Answer | undefined,
  wholly: boolean,
): Promise<void> {
  const outcome = classify('update', instead);
  const isForeign = isProxyRefusal(instead) && (await isServerThere(sender));
  if (isForeign || isDefinite(outcome)) {
    // The batch itself was refused, perhaps when it was repeated on its way, or its answers were replaced. Sent alone, each
    // change gets an answer of its own.
    goAlone(sender, ALONE_AFTER_FAULT);
    return reportAll(sender, entries, { event: 'sender-lost' });
  }
  if (outcome.kind === 'uncertain' || outcome.kind === 'unreachable') {
    cutShort(sender.environment);
    if (wholly)
      goAlone(
        sender,
        outcome.kind === 'uncertain' && outcome.status !== undefined ? ALONE_AFTER_FAULT : ALONE_AFTER_SILENCE,
      );
  }
  await settleAll(sender, entries, outcome);
}

function goAlone({ environment }: Sender, milliseconds: number): void {
  alone.set(environment, steady(environment) + milliseconds);
}

function bytesOf(members: readonly BatchMember[]): number {
  return members.flatMap(({ files }) => [...files.values()]).reduce((sum, { size }) => sum + size, 0);
}
