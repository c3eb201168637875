import { mayHaveArrived } from '../domain/outbox/order.ts';
import {
  finding,
  fitsCreate,
  type NewRows,
  newRowIds,
  resemblesCreate,
  showsCreate,
} from '../domain/outbox/read-back.ts';
import type { CreateChange, OutboxEntry, SaveSettingsChange } from '../domain/outbox/vocabulary.ts';
import { resourceOf } from '../domain/resources/index.ts';
import { compareWithServer } from './compare-with-server.ts';
import { foundAlready, withoutArrivedImages } from './arrived-images.ts';
import { transact } from './outbox-db.ts';
import { type Reading, readRecord, readRows } from './reading.ts';
import { finish, giveBack, postpone, put, type Sender } from './sender.ts';

/**
 * A stock back end knows no keys and no versions, and a create's answer has no id. So before a change is sent, or sent
 * again, the server is read. Undefined when it is not to be sent now.
 */
export async function prepareByReading(sender: Sender, entry: OutboxEntry): Promise<OutboxEntry | undefined> {
  const { change } = entry;
  switch (change.op) {
    case 'create':
      return isFirstAttempt(entry) ? noteKnownIds(sender, entry, change) : readBack(sender, entry, change);
    case 'update':
      return prepareUpdate(sender, entry);
    case 'save-settings':
      return prepareSettings(sender, entry, change);
    case 'delete':
      return change.base === undefined ? entry : compareWithServer(sender, entry, change);
    case 'delete-image':
      return entry;
    default:
      return change satisfies never;
  }
}

/** The create was confirmed without an id: that is kept first, then the list tells the id, and a twin if there is one. */
export async function learnNewId(sender: Sender, sending: OutboxEntry, message: string): Promise<void> {
  const entry: OutboxEntry = { ...sending, state: 'uncertain', doubt: true, confirmed: message };
  await put(sender, entry);
  if (entry.change.op === 'create') await readBack(sender, entry, entry.change);
}

function isFirstAttempt(entry: OutboxEntry): boolean {
  return entry.attempts === 0 && !mayHaveArrived(entry) && entry.confirmed === undefined;
}

async function noteKnownIds(
  sender: Sender,
  entry: OutboxEntry,
  change: CreateChange,
): Promise<OutboxEntry | undefined> {
  const reading = await readRows(sender, resourceOf(change.resource));
  if (reading.kind === 'found') return { ...entry, knownIds: reading.value.map(({ id }) => id) };
  return void (await cannotTell(sender, entry, reading));
}

/** Looks for a create's row among those that are new since. The entry comes back when it has to be sent (again). */
async function readBack(sender: Sender, entry: OutboxEntry, change: CreateChange): Promise<OutboxEntry | undefined> {
  const rows = await newRows(sender, entry, change);
  if (rows.kind !== 'found') return void (await cannotTell(sender, entry, rows));
  const result = finding(rows.value, entry.confirmed !== undefined);
  if (result.found === 'ours') return void (await arrived(sender, entry, result.id, result.twins));
  if (result.found === 'question') return void (await askWhich(sender, entry, result.ids));
  if (entry.confirmed !== undefined) return void (await arrived(sender, entry));
  return mayStillArrive(sender, entry) ? void (await waitForArrival(sender, entry)) : entry;
}

async function newRows(sender: Sender, entry: OutboxEntry, change: CreateChange): Promise<Reading<NewRows>> {
  const resource = resourceOf(change.resource);
  const rows = await readRows(sender, resource);
  if (rows.kind !== 'found') return rows;
  // where nothing was noted before the first attempt, the list's own columns narrow thousands of rows down
  const likely =
    entry.knownIds === undefined ? rows.value.filter((row) => showsCreate(resource, change, row)) : rows.value;
  const ids = newRowIds(likely, entry.knownIds ?? [], await claimedIds(sender, change));
  const fitting: number[] = [];
  const resembling: number[] = [];
  for (const id of ids.toSorted((one, other) => one - other)) {
    const record = await readRecord(sender, resource, id);
    if (record.kind === 'fault') return record;
    if (record.kind === 'gone') continue;
    if (fitsCreate(resource, change, record.value)) fitting.push(id);
    else if (resemblesCreate(resource, change, record.value)) resembling.push(id);
  }
  return { kind: 'found', value: { fitting, resembling } };
}

/** Rows that other creates of this device are known to have made. */
async function claimedIds({ environment }: Sender, change: CreateChange): Promise<Set<number>> {
  const { outbox } = environment;
  const rows = await transact(outbox, 'r', [outbox.identities], () => outbox.identities.toArray());
  return new Set(rows.filter(({ resource }) => resource === change.resource).map(({ serverId }) => serverId));
}

/** Several rows could be it, or one that somebody has edited since. */
async function askWhich(sender: Sender, entry: OutboxEntry, ids: readonly number[]): Promise<void> {
  const message = 'New records on the server could be this one. Did this save?';
  await giveBack(sender, { ...entry, candidates: ids }, { code: 'several-candidates', message });
}

/** The change is on the server. The id of a confirmed create stays unknown where its row is gone again already. */
async function arrived(sender: Sender, entry: OutboxEntry, serverId?: number, twins: readonly number[] = []) {
  const message = entry.confirmed ?? 'It had arrived.';
  await finish(sender, entry, {
    receipt: {
      at: sender.environment.now(),
      message,
      ...(serverId === undefined ? {} : { serverId }),
      ...(twins.length === 0 ? {} : { twins }),
    },
  });
}

/** An earlier request could still be on its way: only after its time-out does an empty list prove anything. */
function mayStillArrive({ environment }: Sender, { attemptEndsBy, lastAttemptAt }: OutboxEntry): boolean {
  const now = environment.now();
  return attemptEndsBy !== undefined && now < attemptEndsBy && now >= (lastAttemptAt ?? 0);
}

async function waitForArrival(sender: Sender, entry: OutboxEntry): Promise<void> {
  const { attemptEndsBy } = entry;
  await put(sender, {
    ...entry,
    state: 'uncertain',
    ...(attemptEndsBy === undefined ? {} : { notBefore: attemptEndsBy }),
  });
}

async function prepareUpdate(sender: Sender, entry: OutboxEntry): Promise<OutboxEntry | undefined> {
  const compared = entry.change.op === 'update' ? await compareWithServer(sender, entry, entry.change) : undefined;
  if (compared === undefined) return undefined;
  const images = await withoutArrivedImages(sender, compared);
  if (images.kind !== 'found') return void (await cannotTell(sender, entry, images));
  const ready = images.value;
  return unlessArrived(sender, entry, ready);
}

async function prepareSettings(
  sender: Sender,
  entry: OutboxEntry,
  change: SaveSettingsChange,
): Promise<OutboxEntry | undefined> {
  const compared = await compareWithServer(sender, entry, change);
  return compared === undefined ? undefined : unlessArrived(sender, entry, compared);
}

/**
 * In doubt, what is all there is done. Else the first request may still be on its way: a repeat could be overtaken by it, and
 * with it whatever was saved after.
 */
async function unlessArrived(sender: Sender, entry: OutboxEntry, ready: OutboxEntry): Promise<OutboxEntry | undefined> {
  if (!mayHaveArrived(entry)) return ready;
  if (foundAlready(ready)) return void (await arrived(sender, entry));
  return mayStillArrive(sender, entry) ? void (await waitForArrival(sender, entry)) : ready;
}

/** A list or record that is gone where one must be says that this is not the right server just now. */
async function cannotTell(sender: Sender, entry: OutboxEntry, reading: Exclude<Reading<unknown>, { kind: 'found' }>) {
  const outcome =
    reading.kind === 'fault' ? reading.outcome : ({ kind: 'unreachable', message: 'The list is missing.' } as const);
  await postpone(sender, entry, outcome);
}
