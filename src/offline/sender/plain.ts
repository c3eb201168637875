import { compare } from '../../domain/outbox/conflict.ts';
import { withoutEarlier } from '../../domain/outbox/transitions.ts';
import { mayBeDelivered, rulingOut } from '../../domain/outbox/delivery.ts';
import { laidOverSent } from '../../domain/outbox/rebase.ts';
import { isReadable } from '../../domain/outbox/scheduler.ts';
import {
  type Change,
  isLocalId,
  type OutboxEntry,
  type Receipt,
  type UpdateChange,
} from '../../domain/outbox/vocabulary.ts';
import { firstPart } from '../../domain/protocol/parts.ts';
import { findCreateByTexts } from '../../domain/protocol/read-back/find-create.ts';
import { findUpdate } from '../../domain/protocol/read-back/find-update.ts';
import { resemblesCreate } from '../../domain/protocol/read-back/likeness.ts';
import type { Attempt, Finding } from '../../domain/protocol/read-back/reader.ts';
import { matched } from '../../domain/protocol/read-back/stored-files.ts';
import { isSingle } from '../../domain/resource.ts';
import { resourceOf } from '../../domain/resources/index.ts';
import { type CreateEntry, isCreate, plainFollower } from '../outbox/confirm.ts';
import { unfinished } from '../storage/outbox-database.ts';
import { transact } from '../storage/transactions.ts';
import { compareWithServer, gone } from './preflight.ts';
import { readerOf } from './reading.ts';
import type { Comparable } from './reconcile.ts';
import type { Decision, Sender } from './sender.ts';
import { aftermathOf, steady } from '../storage/steady.ts';

type Done = Finding & { readonly found: 'done' };

/**
 * Prepares a change for a server that is none of ours. Such a server knows no idempotency keys and no versions, and its answer to
 * a create has no id. So the device reads the server before it sends, and settles unknown deliveries by read-back. Throws
 * ReadFault.
 */
export async function preparePlain(sender: Sender, entry: OutboxEntry): Promise<Decision> {
  if (isCreate(entry)) return isOpen(entry) ? readBackCreate(sender, entry) : noteIds(sender, entry);
  const settled = await creatorOf(sender, entry);
  if (settled !== undefined) return settled;
  const change = entry.change as Comparable;
  if (change.op === 'update' && mayBeDelivered(entry)) return readBackEdit(sender, entry, change);
  if (change.op === 'delete-image' && change.base === undefined) return { do: 'send', ready: entry };
  return compareWithServer(sender, entry, change);
}

/** True if the server may have the created row. A delayed first request may arrive even after its repeat was refused. */
function isOpen(entry: OutboxEntry): boolean {
  return entry.attempts > 0 || mayBeDelivered(entry) || entry.acceptedMessage !== undefined;
}

async function noteIds(sender: Sender, entry: CreateEntry): Promise<Decision> {
  const rows = await readerOf(sender).rows(resourceOf(entry.change.resource));
  return { do: 'send', ready: { ...entry, baselineIds: rows.map(({ id }) => id) } };
}

/** Looks for a create's row among the rows that are new since the attempt. */
async function readBackCreate(sender: Sender, entry: CreateEntry): Promise<Decision> {
  const sent = firstPart(soughtOf(entry));
  const finding = await findCreateByTexts(readerOf(sender), sent, await attemptOf(sender, entry));
  switch (finding.found) {
    case 'done':
      return { do: 'finish', receipt: foundReceipt(sender, entry, finding), follower: plainFollower(entry) };
    case 'question': {
      const message = 'New records on the server could be this one. Did this save?';
      const reason = { code: 'several-candidates', message } as const;
      return { do: 'report', event: { event: 'held', reason, candidates: finding.ids } };
    }
    case 'too-early':
      return { do: 'report', event: { event: 'read-back-later', until: finding.until } };
    default:
      return { do: 'send', ready: withoutEarlier(entry) };
  }
}

/** The payload that may have arrived: the one from before a repair, if known. */
function soughtOf<C extends Change>({ change, earlier }: OutboxEntry & { readonly change: C }): C {
  return earlier?.op === change.op ? (earlier as C) : change;
}

/** Reads back an edit with unknown delivery. Parts that arrived are done; the rest is rebased as if it had never been sent. */
async function readBackEdit(sender: Sender, entry: OutboxEntry, change: UpdateChange): Promise<Decision> {
  const sent = firstPart(soughtOf({ ...entry, change }));
  const finding = await findUpdate(readerOf(sender), sent, await attemptOf(sender, entry));
  if (finding.found === 'gone') return gone(sender, entry);
  if (finding.found === 'too-early') return { do: 'report', event: { event: 'read-back-later', until: finding.until } };
  const rest = finding.found === 'done' ? lacking(change, sent, finding) : change;
  const known = withoutEarlier(entry);
  const certain = { ...known, change: rest, delivery: rulingOut(known.delivery, 'attempt') };
  const decision = await compareWithServer(sender, certain, rest);
  if (finding.found !== 'done' || decision.do !== 'send' || !isAllThere(decision.ready.change)) return decision;
  return { do: 'finish', receipt: foundReceipt(sender, entry, finding) };
}

/** The part of an edit that has not arrived. */
function lacking(change: UpdateChange, sent: UpdateChange, { missing }: Done): UpdateChange {
  const there = sent.files.filter((file) => !missing.includes(file));
  const { missing: files } = matched(change.files, there);
  return sent.values === change.values ? { ...change, files } : { ...laidOverSent(change, sent), files };
}

/** True if the server, which is now the base, holds everything the change brings. */
function isAllThere(change: Change): boolean {
  return change.op === 'update' && change.files.length === 0 && compare(change, change.base).differences.length === 0;
}

function foundReceipt({ environment }: Sender, { acceptedMessage }: OutboxEntry, { id, duplicates }: Done): Receipt {
  return {
    at: environment.now(),
    message: acceptedMessage ?? 'It had already arrived.',
    ...(id === undefined ? {} : { serverId: id }),
    ...(duplicates.length === 0 ? {} : { duplicates }),
  };
}

/** The facts about the last attempt. */
async function attemptOf(sender: Sender, entry: OutboxEntry): Promise<Attempt> {
  const { environment } = sender;
  const { baselineIds: ids, acceptedMessage } = entry;
  const change = soughtOf(entry);
  const claimed = await claimedIds(sender, change);
  return {
    // an edit was rebased onto the server's record when it was sent
    baseline: { ...(ids && { ids }), ...('base' in change && change.base && { record: change.base }) },
    endsBy: aftermathOf(environment, entry),
    now: () => steady(environment),
    isClaimed: (id) => claimed.has(id),
    confirmed: acceptedMessage !== undefined,
    proof: 'texts',
  };
}

/** Rows already attributed to creates of this device. */
async function claimedIds({ environment }: Sender, sent: Change): Promise<ReadonlySet<number>> {
  if (sent.op !== 'create') return new Set();
  const { outbox } = environment;
  const rows = await transact(outbox, 'r', [outbox.identities], () => outbox.identities.toArray());
  return new Set(rows.filter(({ resource }) => resource === sent.resource).map(({ serverId }) => serverId));
}

/**
 * Looks first for creates with unknown delivery whose row this change is about. Once the row is edited or deleted from here, the
 * list no longer identifies it, and the record would be created again. Includes creates of other administrators, because reading
 * sends nothing under anyone's name. Returns undefined if nothing was learned and the change may proceed.
 */
async function creatorOf(sender: Sender, entry: OutboxEntry): Promise<Decision | undefined> {
  const { change } = entry;
  const resource = resourceOf(change.resource);
  if (change.op === 'create' || isSingle(resource)) return undefined;
  const creates = await possibleCreators(sender, entry, change);
  const row = creates.length === 0 ? undefined : await readerOf(sender).record(resource, change.recordId);
  if (row === undefined) return undefined;
  for (const about of creates.filter((create) => resemblesCreate(resource, create.change, row))) {
    const decision = await readBackCreate(sender, about);
    if (decision.do === 'finish' || (decision.do === 'report' && decision.event.event === 'held')) {
      return { ...decision, about };
    }
  }
  return undefined;
}

/** Earlier creates with unknown delivery whose row could be the one this change is about. */
async function possibleCreators(
  sender: Sender,
  { sequence }: OutboxEntry,
  { resource, recordId }: Extract<Change, { op: 'update' | 'delete' | 'delete-image' }>,
): Promise<CreateEntry[]> {
  if (isLocalId(recordId)) return [];
  const { outbox } = sender.environment;
  const id = Number(recordId);
  const entries = await transact(outbox, 'r', [outbox.entries], () => unfinished(outbox));
  const inDoubt = entries
    .filter((other) => isReadable(other) && other.sequence < sequence)
    .filter(isCreate)
    .filter((other) => other.change.resource === resource && mayBeDelivered(other))
    .filter((other) => other.candidates === undefined && other.baselineIds?.includes(id) !== true);
  return inDoubt[0] === undefined || (await claimedIds(sender, inDoubt[0].change)).has(id) ? [] : inDoubt;
}
