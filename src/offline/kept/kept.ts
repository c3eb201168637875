import { apply } from '../../domain/outbox/lifecycle.ts';
import { isReadable } from '../../domain/outbox/scheduler.ts';
import {
  type Change,
  type EntryIn,
  filesOf,
  isLocalId,
  type OutboxEntry,
  type RecordId,
  recordKey,
} from '../../domain/outbox/vocabulary.ts';
import { isManyFiles } from '../../domain/fields.ts';
import { type Again, hasBackup, type KeptAnswer, MOST_KEPT_ASKED } from '../../domain/protocol/kept.ts';
import { fieldOf } from '../../domain/resource.ts';
import { resourceOf } from '../../domain/resources/index.ts';
import { editing } from '../outbox/entry-commands.ts';
import { browserEnvironment } from '../storage/browser-environment.ts';
import type { Environment } from '../storage/environment.ts';
import { removeFiles } from '../storage/files.ts';
import { mostKept, trimKept } from '../storage/kept-files.ts';
import { type KeptNote, readMeta, writeMeta } from '../storage/meta.ts';
import { type OutboxDatabase, unfinished } from '../storage/outbox-database.ts';
import { transact } from '../storage/transactions.ts';

/**
 * Confirmed changes that stay on the device until they are in a backup. The server says which are, and which it has forgotten;
 * those are sent again when their user says so. Loaded on demand.
 */

/** Asks the server about keys (`src/domain/protocol/kept.ts`). */
export type AskAbout = (keys: readonly string[]) => Promise<KeptAnswer>;

/** A confirmed change that is kept. */
export type KeptEntry = EntryIn<'done'>;

/** A user's kept changes. */
export interface KeptState {
  /** In order. */
  readonly forgotten: readonly KeptEntry[];
  /** How many are kept besides, and since when (epoch milliseconds; absent if there are none). */
  readonly count: number;
  readonly since?: number;
  /** Bytes of their files. */
  readonly bytes: number;
  /** How many have lost their files to something that needed the space. */
  readonly textsOnly: number;
}

/** Maximum texts of kept changes: a tenth of what the files may take. */
const TEXTS_SHARE = 10;

/**
 * Asks the server about the kept changes of a user: drops what is in a backup, and notes what the server has forgotten. Does
 * nothing if it was asked at this standing. Resolves to how many are forgotten. Throws what `ask` throws.
 */
export async function compareKept(
  environment: Environment,
  administrator: string,
  standing: string,
  ask: AskAbout,
): Promise<number> {
  const { outbox } = environment;
  const [before, asked] = await transact(outbox, 'r', [outbox.entries, outbox.meta], async () => [
    await noteOf(outbox, administrator),
    await keptOf(outbox, administrator),
  ]);
  if (before?.asked === standing) return before.forgotten;
  const told = await askAll(ask, asked);
  const forgotten = await editing(environment, async () => {
    const upTo = (await outbox.entries.orderBy(':id').last())?.sequence ?? 0;
    for (const entry of await keptOf(outbox, administrator)) await take(outbox, entry, told);
    await dropMade(outbox, administrator);
    const count = (await forgottenOf(outbox, administrator)).length;
    await writeNote(outbox, administrator, { asked: standing, forgotten: count, upTo });
    return count;
  });
  await trim(environment, administrator);
  return forgotten;
}

/** What a server said, by key. */
interface Told {
  readonly asked: ReadonlySet<string>;
  readonly forgotten: ReadonlySet<string>;
  readonly backedUp: ReadonlySet<string>;
}

async function askAll(ask: AskAbout, entries: readonly KeptEntry[]): Promise<Told> {
  const keys = entries.map(({ idempotencyKey }) => idempotencyKey);
  const [forgotten, backedUp] = [new Set<string>(), new Set<string>()];
  for (let at = 0; at < keys.length; at += MOST_KEPT_ASKED) {
    const answer = await ask(keys.slice(at, at + MOST_KEPT_ASKED));
    for (const key of answer.forgotten) forgotten.add(key);
    for (const key of answer.backedUp) backedUp.add(key);
  }
  return { asked: new Set(keys), forgotten, backedUp };
}

/** Writes what the server said of a change. One that was confirmed since is asked about the next time. */
async function take(outbox: OutboxDatabase, entry: KeptEntry, { asked, forgotten, backedUp }: Told): Promise<void> {
  const { idempotencyKey: key, receipt } = entry;
  if (!asked.has(key)) return;
  if (backedUp.has(key)) return letGo(outbox, [entry]);
  if (forgotten.has(key) === (receipt.forgotten === true)) return;
  const { forgotten: _, ...known } = receipt;
  await outbox.entries.put({ ...entry, receipt: forgotten.has(key) ? { ...known, forgotten: true } : known });
}

/** Lets changes go that nobody needs any more: what they were is in a backup, or not wanted. Their receipts stay. */
async function letGo(outbox: OutboxDatabase, entries: readonly KeptEntry[]): Promise<void> {
  await outbox.entries.bulkPut(
    entries.map((entry) => {
      const { kept: _kept, forgotten: _forgotten, ...receipt } = entry.receipt;
      return { ...entry, receipt };
    }),
  );
  await removeFiles(outbox, entries.flatMap(filesOf));
}

/** Lets go what was forgotten from a record's creation to its deletion: neither is missed. */
async function dropMade(outbox: OutboxDatabase, administrator: string): Promise<void> {
  const forgotten = await forgottenOf(outbox, administrator);
  const ids = serverIds(forgotten);
  const byRecord = Map.groupBy(forgotten, ({ change }) => recordOf(change, ids));
  for (const own of byRecord.values()) {
    const isWhole = own[0]?.change.op === 'create' && own.at(-1)?.change.op === 'delete';
    if (isWhole) await letGo(outbox, own);
  }
}

/** The server's former ids of created records, by kind and local id. */
function serverIds(entries: readonly KeptEntry[]): ReadonlyMap<string, RecordId> {
  return new Map(
    entries.flatMap(({ change, receipt }) =>
      change.op === 'create' && receipt.serverId !== undefined
        ? [[recordKey(change), String(receipt.serverId)] as const]
        : [],
    ),
  );
}

function recordOf(change: Change, ids: ReadonlyMap<string, RecordId>): string {
  return recordKey({ ...change, recordId: ids.get(recordKey(change)) ?? change.recordId });
}

/** Files first, oldest first; then whole changes. What is forgotten stays: it is what all this is for. */
async function trim(environment: Environment, administrator: string): Promise<void> {
  const most = await mostKept(environment);
  await trimKept(environment, most);
  await editing(environment, async () => {
    let left = most / TEXTS_SHARE;
    const gone = (await keptOf(environment.outbox, administrator)).toReversed().filter(({ change, receipt }) => {
      left -= JSON.stringify(change).length;
      return left < 0 && receipt.forgotten === undefined;
    });
    await letGo(environment.outbox, gone);
  });
}

/** What is kept of the signed-in user's confirmed changes. Meant for `liveQuery`. */
export async function keptState(environment: Environment = browserEnvironment()): Promise<KeptState> {
  const { outbox } = environment;
  return transact(outbox, 'r', [outbox.entries, outbox.meta], async () => {
    const { administrator = '' } = (await readMeta(outbox, 'session')) ?? {};
    const all = await keptOf(outbox, administrator);
    const rest = all.filter(({ receipt }) => receipt.forgotten === undefined);
    const since = Math.min(...rest.map(({ receipt }) => receipt.at));
    const whole = all.filter(({ receipt }) => receipt.kept === 'whole');
    return {
      forgotten: all.filter(({ receipt }) => receipt.forgotten),
      count: rest.length,
      ...(rest.length === 0 ? {} : { since }),
      bytes: whole.flatMap(filesOf).reduce((sum, { size }) => sum + size, 0),
      textsOnly: all.filter((entry) => entry.receipt.kept === 'texts' && filesOf(entry).length > 0).length,
    };
  });
}

/**
 * Puts what the server has forgotten back into the queue: in order, each under its key, before anything that waits now. A record
 * that was created then has its local id again until its creation is confirmed. Resolves to how many.
 */
export async function sendAgain(environment: Environment, administrator: string): Promise<number> {
  const { outbox, uuid } = environment;
  return editing(environment, async () => {
    const forgotten = await forgottenOf(outbox, administrator);
    const upTo = (await noteOf(outbox, administrator))?.upTo ?? 0;
    const localIds = new Map<string, RecordId>();
    for (const { change, receipt } of forgotten) {
      if (change.op !== 'create' || receipt.serverId === undefined) continue;
      localIds.set(recordKey({ ...change, recordId: String(receipt.serverId) }), change.recordId);
      await outbox.identities.delete([change.resource, change.recordId]);
    }
    for (const entry of forgotten) await outbox.entries.put(await again(outbox, entry, localIds));
    // what was saved after the device had learned of it is about the records of now
    const waiting = (await unfinished(outbox)).filter(
      (entry) => entry.administrator === administrator && entry.sequence <= upTo && isReadable(entry),
    );
    for (const entry of waiting) {
      const change = underLocalId(entry.change, localIds);
      if (change === entry.change) continue;
      const freed = entry.reason?.code === 'gone' ? apply(entry, { event: 'retry', idempotencyKey: uuid() }) : entry;
      await outbox.entries.put({ ...freed, change });
    }
    await settleNote(outbox, administrator);
    return forgotten.length;
  });
}

async function again(
  outbox: OutboxDatabase,
  entry: KeptEntry,
  localIds: ReadonlyMap<string, RecordId>,
): Promise<OutboxEntry> {
  // an answer without an id: another device had deleted the record again before
  const { serverId = entry.again?.id, images = entry.again?.images ?? [] } = entry.receipt;
  const ids = filesOf(entry).map(({ id }) => id);
  const present = new Set(await outbox.files.where('id').anyOf(ids).primaryKeys());
  const added = filesOf(entry).filter(({ field }) => isOneOfMany(entry.change, field));
  const given: Again = {
    ...(entry.change.op === 'create' && serverId !== undefined ? { id: serverId } : {}),
    ...(images.length === 0 ? {} : { images: images.filter((_, place) => present.has(added[place]?.id ?? '')) }),
  };
  const change = underLocalId(entry.change, localIds);
  const left = 'files' in change ? { ...change, files: change.files.filter(({ id }) => present.has(id)) } : change;
  return apply(entry, { event: 'again', change: left, again: given });
}

function isOneOfMany({ resource }: Change, field: string): boolean {
  const found = fieldOf(resourceOf(resource), field);
  return found !== undefined && isManyFiles(found);
}

function underLocalId(change: Change, localIds: ReadonlyMap<string, RecordId>): Change {
  const local = isLocalId(change.recordId) ? undefined : localIds.get(recordKey(change));
  return local === undefined ? change : { ...change, recordId: local };
}

/** Lets the changes go that the server has forgotten: they stay away. */
export async function letForgottenGo(environment: Environment, administrator: string): Promise<void> {
  const { outbox } = environment;
  await editing(environment, async () => {
    await letGo(outbox, await forgottenOf(outbox, administrator));
    await settleNote(outbox, administrator);
  });
}

/** The number of a user's kept changes, which a log-out asks about. */
export async function countKept({ outbox }: Environment, administrator: string): Promise<number> {
  return transact(outbox, 'r', [outbox.entries], async () => (await keptOf(outbox, administrator)).length);
}

/** Removes everything that is kept for a user. */
export async function removeKept(environment: Environment, administrator: string): Promise<void> {
  const { outbox } = environment;
  await editing(environment, async () => {
    await letGo(outbox, await keptOf(outbox, administrator));
    await settleNote(outbox, administrator);
  });
}

async function keptOf(outbox: OutboxDatabase, administrator: string): Promise<KeptEntry[]> {
  const done = await outbox.entries.where('state').equals('done').sortBy('sequence');
  return done.filter(
    (entry): entry is KeptEntry =>
      entry.state === 'done' &&
      entry.receipt.kept !== undefined &&
      entry.administrator === administrator &&
      isReadable(entry),
  );
}

async function forgottenOf(outbox: OutboxDatabase, administrator: string): Promise<KeptEntry[]> {
  return (await keptOf(outbox, administrator)).filter(({ receipt }) => receipt.forgotten);
}

async function noteOf(outbox: OutboxDatabase, administrator: string): Promise<KeptNote | undefined> {
  return (await readMeta(outbox, 'kept'))?.[administrator];
}

async function writeNote(outbox: OutboxDatabase, administrator: string, note: KeptNote): Promise<void> {
  await writeMeta(outbox, 'kept', { ...(await readMeta(outbox, 'kept')), [administrator]: note });
}

/** Nothing is forgotten any more, as far as is known. */
async function settleNote(outbox: OutboxDatabase, administrator: string): Promise<void> {
  const note = await noteOf(outbox, administrator);
  if (note !== undefined) await writeNote(outbox, administrator, { ...note, forgotten: 0 });
}

/** True if the server has said that there is a backup. Then what is kept here will be in one, sooner or later. */
export async function hasBackups({ outbox }: Environment, administrator: string): Promise<boolean> {
  const note = await noteOf(outbox, administrator);
  return note !== undefined && hasBackup(note.asked);
}

/** True if the session is to end with the browser's, or the device holds changes, sent or not, of somebody else. */
export async function isSharedDevice({ outbox }: Environment, administrator: string): Promise<boolean> {
  return transact(outbox, 'r', [outbox.entries, outbox.meta], async () => {
    if ((await readMeta(outbox, 'session'))?.rememberAcrossRestarts === false) return true;
    const other = await outbox.entries.filter((entry) => entry.administrator !== administrator).first();
    return other !== undefined;
  });
}
