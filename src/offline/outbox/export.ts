import { apply } from '../../domain/outbox/lifecycle.ts';
import { isReadable } from '../../domain/outbox/scheduler.ts';
import { filesOf } from '../../domain/outbox/vocabulary.ts';
import { upcast } from '../../domain/outbox/upcast.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { editing, inOneTransaction } from './entry-commands.ts';
import type { Environment } from '../storage/environment.ts';
import { openFile, type PreparedFile, storeFiles } from '../storage/files.ts';
import { type Identity, type NewEntry, unfinished } from '../storage/outbox-database.ts';
import { type QueueFile, readQueueFile, writeQueueFile } from './queue-file.ts';
import { makeRoom, withinQuota } from '../storage/quota.ts';
import { keepMark } from '../storage/storage-loss.ts';

/** The result of an import. */
export interface ImportResult {
  readonly added: number;
  /** Skipped because they are queued here or were sent from here. */
  readonly known: number;
}

/**
 * Exports an administrator's queued changes and their files as one file. From now on another device may send them too, so each keeps its
 * payload and key on both devices, and later changes of its record are queued behind it. Files whose bytes are lost are left out, so that the
 * rest can be exported.
 */
export async function exportQueue(environment: Environment, administrator: string): Promise<Blob> {
  const { outbox } = environment;
  const contents = await editing(environment, async () => {
    const own = (await unfinished(outbox)).filter((entry) => entry.administrator === administrator);
    // an entry that only a newer version of the app can read stays as it is
    const entries = own.map((entry): OutboxEntry => (isReadable(entry) ? apply(entry, { event: 'export' }) : entry));
    await outbox.entries.bulkPut(entries.filter(isReadable));
    return { entries, identities: await outbox.identities.toArray() };
  });
  return writeQueueFile(contents, (reference) => openFile(environment, reference).catch(() => undefined));
}

/** Imports a queue file behind the changes queued here. Throws QueueFileError if the file cannot be used. */
export async function importQueue(environment: Environment, file: Blob): Promise<ImportResult> {
  const queue = await readQueueFile(environment, file);
  await makeRoom(environment, file.size);
  await withinQuota(environment, file.size, () => keepMark(environment));
  let before: ReadonlySet<string> | undefined;
  return withinQuota(environment, file.size, () =>
    inOneTransaction(environment, async () => {
      const known = await knownOf(environment, queue);
      // a first run may have been committed although the connection was lost: what it added is not known from before
      before ??= known;
      await importEntries(environment, queue, known);
      return { added: queue.entries.length - before.size, known: before.size };
    }),
  );
}

/** The ids of a queue file's entries that are here already. */
async function knownOf({ outbox }: Environment, { entries }: QueueFile): Promise<ReadonlySet<string>> {
  const ids = entries.map(({ id }) => id);
  const here = await outbox.entries.where('id').anyOf(ids).toArray();
  return new Set(here.map(({ id }) => id));
}

async function importEntries(
  { outbox }: Environment,
  { entries, identities, files }: QueueFile,
  known: ReadonlySet<string>,
): Promise<void> {
  const fresh = entries.filter(({ id }) => !known.has(id));
  await outbox.identities.bulkPut([...identities]);
  const confirmed = await outbox.identities.toArray();
  await outbox.entries.bulkAdd(fresh.map((entry) => onAnotherDevice(withServerId(upcast(entry), confirmed))));
  for (const entry of fresh) {
    const own = filesAmong(files, entry);
    if (own.length > 0) await storeFiles(outbox, entry.id, own);
  }
}

/** Replaces a local id with the server's, where its record has been confirmed here in the meantime. */
function withServerId(entry: OutboxEntry, confirmed: readonly Identity[]): OutboxEntry {
  const { change } = entry;
  if (change.op === 'create') return entry;
  const { resource, recordId } = change;
  const identity = confirmed.find((one) => one.resource === resource && one.localId === recordId);
  return identity === undefined ? entry : { ...entry, change: { ...change, recordId: String(identity.serverId) } };
}

/**
 * The other device may have sent the change since the export, so its delivery is unknown here. A server with idempotency keys answers a repeat
 * from its store; any other server is read back before a create is sent.
 */
function onAnotherDevice(entry: OutboxEntry): NewEntry {
  const { sequence: _, ...copy } = apply(entry, { event: 'import' });
  return copy;
}

function filesAmong(files: readonly PreparedFile[], entry: OutboxEntry): PreparedFile[] {
  const own = new Set(filesOf(entry).map(({ id }) => id));
  return files.filter(({ reference }) => own.has(reference.id));
}
