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

/** What the sender has to do next. */
export type Step =
  | { readonly do: 'send'; readonly entry: OutboxEntry }
  /** Nothing else can go: a file travels on that has to be there before its change. */
  | { readonly do: 'stage'; readonly entry: OutboxEntry; readonly file: FileReference }
  /** A delete's time has come: what was never sent of its record is moot. A record `neverSent` needs no request at all. */
  | {
      readonly do: 'settle';
      readonly moot: readonly OutboxEntry[];
      readonly deletion: OutboxEntry;
      readonly neverSent: boolean;
    }
  /** Epoch milliseconds. */
  | { readonly do: 'wait'; readonly until: number }
  /** Nothing that the sender could do by itself. */
  | { readonly do: 'idle' };

export interface Queue {
  /** Not-done entries of all administrators, in order. */
  readonly entries: readonly OutboxEntry[];
  readonly pause: QueuePause | undefined;
  /** Who is signed in. */
  readonly administrator: string | undefined;
  /** The files that travel before their changes, on a server that takes them so. */
  readonly travel?: Travel | undefined;
}

/**
 * The next step: the first change whose turn it is and whose files are there; else a file goes on, else how long to wait. So what is
 * small goes before what is large, and never before an earlier change of its own record.
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

/** All changes that could go now, each of another record, in the order in which `next` would take them. */
export function allReady(queue: Queue, now: number): OutboxEntry[] {
  const { pause, administrator, travel } = queue;
  if (administrator === undefined || isPaused(pause, now)) return [];
  return stepsOf(queue, administrator, now).flatMap((step) =>
    step.do === 'send' && hasItsFiles(step.entry, travel) ? [step.entry] : [],
  );
}

/** What each record's turn is, in the order of their turns. */
function stepsOf({ entries }: Queue, administrator: string, now: number): Step[] {
  const asked = askedAbout(entries, administrator);
  const records = inTurn(groupByRecord(entries, administrator)).filter((own) => !isAskedAbout(own, asked));
  return records.map((own) => stepOf(own, now));
}

/** A change whose turn it is goes when all its files are there; until then the first of them that does not wait goes on. */
function travelStep(entry: OutboxEntry, travel: Travel | undefined, now: number): Step {
  if (travel === undefined || hasItsFiles(entry, travel)) return { do: 'send', entry };
  const missing = missingFiles(entry, travel);
  const file = missing.find((one) => uploadWait(one, travel, now) === undefined);
  if (file !== undefined) return { do: 'stage', entry, file };
  return { do: 'wait', until: Math.min(...missing.map((one) => uploadWait(one, travel, now) ?? now)) };
}

/** The older goes first; what the link could not carry comes behind all others, the one tried longest ago first. */
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

/** Ids of the entries that wait for the administrator's answer whether their record is one that was made here. */
export function idsHeldByQuestion(entries: readonly OutboxEntry[], administrator: string): Set<string> {
  const asked = askedAbout(entries, administrator);
  const held = groupByRecord(entries, administrator).filter((own) => isAskedAbout(own, asked));
  return new Set(held.flat().map(({ id }) => id));
}

/**
 * Rows of the server of which the administrator is asked whether one is a record of theirs: what is done to such a row waits for the
 * answer, which would else be about a row that is gone.
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

/** Removes something: a record, or one image. */
export function isDeletion({ change }: Pick<OutboxEntry, 'change'>): boolean {
  return change.op === 'delete' || change.op === 'delete-image';
}

/** A change that was never tried from here. */
export function isUntried(entry: OutboxEntry): boolean {
  return entry.state === 'pending' && entry.attempts === 0 && !isDeliveryUnknown(entry);
}

/** A change that was never tried from anywhere, and whose payload may therefore still change. */
export function isUntouched(entry: OutboxEntry): boolean {
  return isUntried(entry) && !mayBeDelivered(entry);
}

/** True when the server surely has not carried it out and no attempt is on. What needs the administrator waits on every device. */
function isSurelyUnsent(entry: OutboxEntry): boolean {
  if (isDeliveryUnknown(entry) || entry.acceptedMessage !== undefined) return false;
  return entry.state === 'attention' || (entry.state === 'pending' && !isExported(entry));
}

/** The administrator's not-done entries by record, records in the order of their first entry. */
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

/** Another administrator's changes count only where this one's build on them: on a record that has no server id yet. */
function mayTouch(entry: OutboxEntry, administrator: string): boolean {
  if (!isReadable(entry)) return false;
  if (entry.administrator === administrator) return true;
  return entry.change.op === 'create' && isLocalId(entry.change.recordId);
}

/** An entry of a newer version of the app is left alone. */
export function isReadable(entry: OutboxEntry): boolean {
  return entry.schema <= ENTRY_SCHEMA;
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

/** While a delete can be undone, what came before it is held; then it is moot. */
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

/** Until when a change waits by itself, in epoch milliseconds. */
export function waitOf(entry: OutboxEntry, now: number): number | undefined {
  if (entry.notBefore === undefined) return undefined;
  return stillWaiting(entry.lastAttemptAt ?? entry.createdAt, entry.notBefore, now) ? entry.notBefore : undefined;
}
