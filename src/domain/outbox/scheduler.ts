import { isKnownKind } from '../resources/index.ts';
import { stillWaiting } from './backoff.ts';
import { isDeliveryUnknown, isExported, mayBeDelivered } from './delivery.ts';
import { isPaused } from './pause.ts';
import { isTooMuchForLink } from './status.ts';
import { hasItsFiles, missingFiles, type Travel, uploadWait } from './uploads.ts';
import {
  ENTRY_SCHEMA,
  type FileReference,
  isLocalId,
  type OutboxEntry,
  type QueuePause,
  recordKey,
} from './vocabulary.ts';

/** The sender's next step. */
export type Step =
  | { readonly do: 'send'; readonly entry: OutboxEntry }
  /** No change can be sent. Continues the upload of a staged file that its change needs first. */
  | { readonly do: 'stage'; readonly entry: OutboxEntry; readonly file: FileReference }
  /** A delete is due and makes its record's unsent changes moot. A `neverSent` record needs no request at all. */
  | {
      readonly do: 'settle';
      readonly moot: readonly OutboxEntry[];
      readonly deletion: OutboxEntry;
      readonly neverSent: boolean;
    }
  /** Epoch milliseconds. */
  | { readonly do: 'wait'; readonly until: number }
  /** Nothing to do without outside events. */
  | { readonly do: 'idle' };

export interface Queue {
  /** Entries of all administrators that are not done, in order. */
  readonly entries: readonly OutboxEntry[];
  readonly pause: QueuePause | undefined;
  /** The signed-in user's id. */
  readonly administrator: string | undefined;
  /** The state of staged files, if the server supports staging. */
  readonly travel?: Travel | undefined;
}

/**
 * Returns the next step: the first change whose turn it is and whose files have arrived, else the upload of a file, else a
 * wait. Small changes therefore overtake large ones, but never an earlier change of their own record.
 */
export function next(queue: Queue, now: number): Step {
  const { pause, administrator, travel } = queue;
  if (administrator === undefined) return { do: 'idle' };
  if (isPaused(pause, now)) return pause?.until === undefined ? { do: 'idle' } : { do: 'wait', until: pause.until };
  let until = Number.POSITIVE_INFINITY;
  let staging: Step | undefined;
  for (const step of stepsOf(queue, administrator, now)) {
    if (step.do === 'settle') return step;
    if (step.do === 'wait') until = Math.min(until, step.until);
    if (step.do !== 'send') continue;
    const files = travelStep(step.entry, travel, now);
    if (files.do === 'send') return step;
    if (files.do === 'wait') until = Math.min(until, files.until);
    else staging ??= files;
  }
  return staging ?? (until === Number.POSITIVE_INFINITY ? { do: 'idle' } : { do: 'wait', until });
}

/** All changes that can be sent now, one per record, in the order of `next`. */
export function allReady(queue: Queue, now: number): OutboxEntry[] {
  const { pause, administrator, travel } = queue;
  if (administrator === undefined || isPaused(pause, now)) return [];
  return stepsOf(queue, administrator, now).flatMap((step) =>
    step.do === 'send' && hasItsFiles(step.entry, travel) ? [step.entry] : [],
  );
}

/** Each record's next step, in the order of their turns. */
function stepsOf({ entries }: Queue, administrator: string, now: number): Step[] {
  const asked = askedAbout(entries, administrator);
  const records = inTurn(groupByRecord(entries, administrator)).filter((own) => !isAskedAbout(own, asked));
  return records.map((own) => stepOf(own, now));
}

/** Sends a change if all its files have arrived. Otherwise continues the first file that does not have to wait. */
function travelStep(entry: OutboxEntry, travel: Travel | undefined, now: number): Step {
  if (travel === undefined || hasItsFiles(entry, travel)) return { do: 'send', entry };
  const missing = missingFiles(entry, travel);
  const file = missing.find((one) => uploadWait(one, travel, now) === undefined);
  if (file !== undefined) return { do: 'stage', entry, file };
  return { do: 'wait', until: Math.min(...missing.map((one) => uploadWait(one, travel, now) ?? now)) };
}

/** Orders records by age. Those that were too large for the link come last, least recently tried first. */
function inTurn(records: readonly OutboxEntry[][]): OutboxEntry[][] {
  const triedAt = ([head]: readonly OutboxEntry[]) =>
    head !== undefined && isTooMuchForLink(head) ? (head.lastAttemptAt ?? 0) : Number.NEGATIVE_INFINITY;
  return records.toSorted((one, other) => {
    const [first, second] = [triedAt(one), triedAt(other)];
    return first === second ? 0 : first - second;
  });
}

/** Ids of the entries that wait for an earlier change of their record. */
export function blockedIds(entries: readonly OutboxEntry[], administrator: string): Set<string> {
  return new Set(groupByRecord(entries, administrator).flatMap(([, ...later]) => later.map(({ id }) => id)));
}

/** Ids of entries held until the administrator says whether their record was created by a change in this queue. */
export function idsHeldByQuestion(entries: readonly OutboxEntry[], administrator: string): Set<string> {
  const asked = askedAbout(entries, administrator);
  const held = groupByRecord(entries, administrator).filter((own) => isAskedAbout(own, asked));
  return new Set(held.flat().map(({ id }) => id));
}

/**
 * Keys of server rows among which the administrator is asked to identify a created record. Changes of such a row wait for
 * the answer; otherwise the question could be about a deleted row.
 */
function askedAbout(entries: readonly OutboxEntry[], administrator: string): ReadonlySet<string> {
  const questions = entries.filter((entry) => entry.candidates !== undefined && entry.administrator === administrator);
  return new Set(
    questions.flatMap(({ change, candidates = [] }) =>
      change.op === 'create' ? candidates.map((id) => recordKey({ ...change, recordId: String(id) })) : [],
    ),
  );
}

function isAskedAbout([head]: readonly OutboxEntry[], asked: ReadonlySet<string>): boolean {
  return asked.size > 0 && head !== undefined && asked.has(recordKey(head.change));
}

/** True for the deletion of a record or of an image. */
export function isDeletion({ change }: Pick<OutboxEntry, 'change'>): boolean {
  return change.op === 'delete' || change.op === 'delete-image';
}

/** True if this device never attempted the change. */
export function isUntried(entry: OutboxEntry): boolean {
  return entry.state === 'pending' && entry.attempts === 0 && !isDeliveryUnknown(entry);
}

/** True if no device can have attempted the change. Its payload may still be modified. */
export function isUntouched(entry: OutboxEntry): boolean {
  return isUntried(entry) && !mayBeDelivered(entry);
}

/** True if the change certainly was not executed and is not in flight. In `attention` it waits on every device. */
function isSurelyUnsent(entry: OutboxEntry): boolean {
  if (isDeliveryUnknown(entry) || entry.acceptedMessage !== undefined) return false;
  return entry.state === 'attention' || (entry.state === 'pending' && !isExported(entry));
}

/** Groups the administrator's entries that are not done by record, in the order of their first entries. */
export function groupByRecord(entries: readonly OutboxEntry[], administrator: string): OutboxEntry[][] {
  const records = new Map<string, OutboxEntry[]>();
  for (const entry of entries) {
    if (entry.state === 'done' || !mayTouch(entry, administrator)) continue;
    const key = recordKey(entry.change);
    const own = records.get(key);
    if (own === undefined) records.set(key, [entry]);
    else own.push(entry);
  }
  return [...records.values()].filter(([head]) => head?.administrator === administrator);
}

/** Includes another administrator's create of a record without a server id, because this one's changes may depend on it. */
function mayTouch(entry: OutboxEntry, administrator: string): boolean {
  if (!isReadable(entry)) return false;
  if (entry.administrator === administrator) return true;
  return entry.change.op === 'create' && isLocalId(entry.change.recordId);
}

/** True if this version can read the entry. Entries of a newer version, or of a kind that only that one has, are left alone. */
export function isReadable({ schema, change }: Pick<OutboxEntry, 'schema' | 'change'>): boolean {
  return !(schema > ENTRY_SCHEMA) && isKnownKind(change.resource);
}

function stepOf(own: readonly OutboxEntry[], now: number): Step {
  const [head] = own;
  if (head === undefined) return { do: 'idle' };
  const deletion = own.find((entry) => entry.change.op === 'delete');
  if (deletion !== undefined && isUntouched(deletion) && own.slice(0, own.indexOf(deletion)).every(isSurelyUnsent)) {
    return deleteStep(own.slice(0, own.indexOf(deletion)), deletion, now);
  }
  return headStep(head, now);
}

/** Holds earlier changes while a delete can be undone. After that they are moot. */
function deleteStep(earlier: readonly OutboxEntry[], deletion: OutboxEntry, now: number): Step {
  const wait = waitOf(deletion, now);
  if (wait !== undefined) return { do: 'wait', until: wait };
  if (earlier.length === 0) return { do: 'send', entry: deletion };
  const neverSent = earlier.some(({ change }) => change.op === 'create');
  return { do: 'settle', moot: earlier, deletion, neverSent };
}

function headStep(head: OutboxEntry, now: number): Step {
  if (head.state !== 'pending') return { do: 'idle' };
  const wait = waitOf(head, now);
  return wait === undefined ? { do: 'send', entry: head } : { do: 'wait', until: wait };
}

/** When the entry's own wait ends, in epoch milliseconds. Undefined if it does not wait. */
export function waitOf(entry: OutboxEntry, now: number): number | undefined {
  const { notBefore } = entry;
  if (notBefore === undefined) return undefined;
  return stillWaiting(entry.lastAttemptAt ?? entry.createdAt, notBefore, now) ? notBefore : undefined;
}

/** True if the clock was set back since the entry was made: its time to undo has to begin anew. A retry may come early. */
export function isSetBack(entry: OutboxEntry, now: number): boolean {
  const { state, notBefore, lastAttemptAt, createdAt } = entry;
  return (
    state === 'pending' &&
    notBefore !== undefined &&
    lastAttemptAt === undefined &&
    now < createdAt &&
    isReadable(entry)
  );
}
