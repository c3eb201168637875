import { apply } from '../../domain/outbox/lifecycle.ts';
import { isReadable } from '../../domain/outbox/scheduler.ts';
import { mayBeDelivered } from '../../domain/outbox/delivery.ts';
import {
  type Finding,
  finding,
  fitsCreate,
  isAkinToCreate,
  type NewRows,
  newRowIds,
  resemblesCreate,
  showsCreate,
} from '../../domain/protocol/read-back/likeness.ts';
import { type CreateChange, isLocalId, type OutboxEntry, type Receipt } from '../../domain/outbox/vocabulary.ts';
import type { ResourceName, ServerRecord } from '../../domain/resource.ts';
import { resourceOf } from '../../domain/resources/index.ts';
import { holdsPictureOf } from './arrived-images.ts';
import { asFirstSent, type CreateEntry, isCreate } from '../outbox/repaired.ts';
import { unfinished } from '../storage/outbox-database.ts';
import { transact } from '../storage/transactions.ts';
import { type Reading, readRecord, readRows } from './reading.ts';
import { finish, isAsRead, postpone, report, type Sender, underFence } from './sender.ts';

/** What became of a create on a server that knows no keys: its list tells. */

/** The create was confirmed without an id: that is kept first, then the list tells the id, and a twin if there is one. */
export async function learnNewId(sender: Sender, sending: OutboxEntry, message: string): Promise<void> {
  const accepted = { event: 'accepted', message } as const;
  await report(sender, sending, accepted);
  const entry = apply(sending, accepted);
  if (entry.change.op === 'create') await readBack(sender, entry, entry.change);
}

/** Looks for a create's row among those that are new since. The entry comes back when it has to be sent (again). */
export async function readBack(
  sender: Sender,
  entry: OutboxEntry,
  change: CreateChange,
): Promise<OutboxEntry | undefined> {
  const looked = await look(sender, entry, change);
  if (looked.kind !== 'found') return void (await cannotTell(sender, entry, looked));
  if (await told(sender, entry, looked.value)) return undefined;
  if (entry.acceptedMessage !== undefined) return void (await arrived(sender, entry));
  return mayStillArrive(sender, entry) ? void (await waitForArrival(sender, entry)) : entry;
}

/**
 * A row that is new since a create fell into doubt may be the create's. Once it is changed or removed from here the list cannot
 * tell that any more, and the record would be made again: so the create is looked for first. Also another administrator's,
 * since reading sends nothing in anybody's name. False when this change has to wait: nothing could be read, or what was found
 * out about the create comes first.
 */
export async function creatorsAreKnown(sender: Sender, entry: OutboxEntry): Promise<boolean> {
  const { change } = entry;
  if (change.op === 'create' || change.op === 'save-settings') return true;
  const creates = await possibleCreators(sender, entry, change);
  if (creates.length === 0) return true;
  const resource = resourceOf(change.resource);
  const row = await readRecord(sender, resource, change.recordId);
  if (row.kind === 'gone') return true;
  if (row.kind === 'fault') return hasToWait(sender, entry, row);
  for (const create of creates.filter((other) => resemblesCreate(resource, other.change, row.value))) {
    const looked = await look(sender, create, create.change);
    if (looked.kind !== 'found') return hasToWait(sender, entry, looked);
    if (await toldByTheWay(sender, create, looked.value)) return false;
  }
  return true;
}

async function hasToWait(
  sender: Sender,
  entry: OutboxEntry,
  reading: Exclude<Reading<unknown>, { kind: 'found' }>,
): Promise<false> {
  await cannotTell(sender, entry, reading);
  return false;
}

/** Creates in doubt from before this change, whose row could be the one that it is about. */
async function possibleCreators(
  sender: Sender,
  { sequence }: OutboxEntry,
  { resource, recordId }: { readonly resource: ResourceName; readonly recordId: string },
): Promise<CreateEntry[]> {
  if (isLocalId(recordId)) return [];
  const { outbox } = sender.environment;
  const id = Number(recordId);
  const entries = await transact(outbox, 'r', [outbox.entries], () => unfinished(outbox));
  const inDoubt = entries
    .filter((other) => isReadable(other) && other.sequence < sequence)
    .filter(isCreate)
    .filter(({ change }) => change.resource === resource)
    .filter((other) => mayBeDelivered(other) && !other.candidates && !other.baselineIds?.includes(id));
  if (inDoubt.length === 0) return [];
  return (await claimedIds(sender, resource)).has(id) ? [] : inDoubt;
}

/** Keeps what the list has told of a create that may have been mended, decided or discarded meanwhile: then it tells nothing. */
async function toldByTheWay(sender: Sender, create: CreateEntry, result: Finding): Promise<boolean> {
  return underFence(sender, async () => {
    const stored = await sender.environment.outbox.entries.get(create.sequence);
    return isAsRead(stored, create) ? told(sender, create, result) : result.found !== 'none';
  });
}

async function look(sender: Sender, entry: OutboxEntry, change: CreateChange): Promise<Reading<Finding>> {
  const rows = await newRows(sender, entry, change);
  return rows.kind === 'found'
    ? { kind: 'found', value: finding(rows.value, entry.acceptedMessage !== undefined) }
    : rows;
}

/** Keeps what the list has told of a create. False when it has told nothing. */
async function told(sender: Sender, entry: OutboxEntry, result: Finding): Promise<boolean> {
  if (result.found === 'ours') await arrived(sender, entry, result.id, result.twins);
  if (result.found === 'question') await askWhich(sender, entry, result.ids);
  return result.found !== 'none';
}

const NO_PICTURE = {
  kind: 'fault',
  outcome: { kind: 'unreachable', message: 'The pictures could not be read.' },
} as const;

async function newRows(sender: Sender, entry: OutboxEntry, change: CreateChange): Promise<Reading<NewRows>> {
  const resource = resourceOf(change.resource);
  const rows = await readRows(sender, resource);
  if (rows.kind !== 'found') return rows;
  // where nothing was noted before the first attempt, the list's own columns narrow thousands of rows down
  const isNoted = entry.baselineIds !== undefined || entry.acceptedMessage !== undefined;
  const likely =
    entry.baselineIds === undefined ? rows.value.filter((row) => showsCreate(resource, change, row)) : rows.value;
  const claimed = await claimedIds(sender, change.resource);
  const ids = newRowIds(likely, entry.baselineIds ?? [], (id) => claimed.has(id));
  const fitting: number[] = [];
  const resembling: number[] = [];
  for (const id of ids.toSorted((one, other) => one - other)) {
    const record = await readRecord(sender, resource, id);
    if (record.kind === 'fault') return record;
    if (record.kind === 'gone') continue;
    const likeness = await likenessOf(sender, change, record.value, isNoted);
    if (likeness === undefined) return NO_PICTURE;
    if (likeness === 'fits') fitting.push(id);
    if (likeness === 'resembles') resembling.push(id);
  }
  return { kind: 'found', value: { fitting, resembling } };
}

/**
 * How much a row is like what was created. Its texts tell; its pictures where an older row may have the same texts, or where somebody may
 * have renamed the new one since. Undefined when a picture could not be read.
 */
async function likenessOf(
  sender: Sender,
  change: CreateChange,
  record: ServerRecord,
  isNoted: boolean,
): Promise<'fits' | 'resembles' | 'other' | undefined> {
  const resource = resourceOf(change.resource);
  const isFit = fitsCreate(resource, change, record);
  if (isFit && isNoted) return 'fits';
  const resembles = resemblesCreate(resource, change, record);
  if (!isFit && (resembles || !isAkinToCreate(resource, change, record))) return resembles ? 'resembles' : 'other';
  const holdsPicture = await holdsPictureOf(sender, change, record);
  if (holdsPicture === undefined) return undefined;
  if (isFit) return holdsPicture ? 'fits' : 'resembles';
  return holdsPicture ? 'resembles' : 'other';
}

/** Rows that creates of this device are known to have made. */
async function claimedIds({ environment }: Sender, resource: ResourceName): Promise<Set<number>> {
  const { outbox } = environment;
  const rows = await transact(outbox, 'r', [outbox.identities], () => outbox.identities.toArray());
  return new Set(rows.filter((row) => row.resource === resource).map(({ serverId }) => serverId));
}

/** Several rows could be it, or one that somebody has edited since. */
async function askWhich(sender: Sender, entry: OutboxEntry, ids: readonly number[]): Promise<void> {
  const message = 'New records on the server could be this one. Did this save?';
  await report(sender, entry, { event: 'held', reason: { code: 'several-candidates', message }, candidates: ids });
}

/** The change is on the server. The id of a confirmed create stays unknown where its row is gone again already. */
export async function arrived(
  sender: Sender,
  entry: OutboxEntry,
  serverId?: number,
  twins: readonly number[] = [],
): Promise<void> {
  const { environment } = sender;
  const receipt: Receipt = {
    at: environment.now(),
    message: entry.acceptedMessage ?? 'It had arrived.',
    ...(serverId === undefined ? {} : { serverId }),
    ...(twins.length === 0 ? {} : { twins }),
  };
  await underFence(sender, async () => {
    await finish(sender, await asFirstSent(environment, entry), { receipt });
  });
}

/** An earlier request could still be on its way: only after its time-out does an empty list prove anything. */
export function mayStillArrive({ environment }: Sender, { attemptEndsBy, lastAttemptAt }: OutboxEntry): boolean {
  const now = environment.now();
  return attemptEndsBy !== undefined && now < attemptEndsBy && now >= (lastAttemptAt ?? 0);
}

/** Leaves the change in doubt until an earlier request can no longer be under way. */
export async function waitForArrival(sender: Sender, entry: OutboxEntry): Promise<void> {
  await report(sender, entry, { event: 'read-back-later', until: entry.attemptEndsBy ?? 0 });
}

/** A list or record that is gone where one must be says that this is not the right server just now. */
export async function cannotTell(
  sender: Sender,
  entry: OutboxEntry,
  reading: Exclude<Reading<unknown>, { kind: 'found' }>,
) {
  const outcome =
    reading.kind === 'fault' ? reading.outcome : ({ kind: 'unreachable', message: 'The list is missing.' } as const);
  await postpone(sender, entry, outcome);
}
