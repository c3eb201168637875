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

/** How an import went. */
export interface ImportResult {
  readonly added: number;
  /** Left out because they are here, or were sent from here. */
  readonly known: number;
}

/**
 * The waiting changes of an administrator with their files, as one file. From now on each may be sent from elsewhere too. So it
 * keeps its payload and its key, here as there: later changes of its record go behind it. A file whose bytes are lost
 * is left out, so that the others get away.
 */
export async function exportQueue(environment: Environment, administrator: string): Promise<Blob> {
  const { outbox } = environment;
  const contents = await editing(environment, async () => {
    const own = (await unfinished(outbox)).filter((entry) => entry.administrator === administrator);
    // one that only a newer version of the app can read stays as it is
    const entries = own.map((entry): OutboxEntry => (isReadable(entry) ? apply(entry, { event: 'export' }) : entry));
    await outbox.entries.bulkPut(entries.filter(isReadable));
    return { entries, identities: await outbox.identities.toArray() };
  });
  return writeQueueFile(contents, (reference) => openFile(environment, reference).catch(() => undefined));
}

/** Takes a queue file in, behind what waits here. Throws QueueFileError for a file that cannot be used. */
export async function importQueue(environment: Environment, file: Blob): Promise<ImportResult> {
  const queue = await readQueueFile(environment, file);
  await makeRoom(environment, file.size);
  await withinQuota(environment, file.size, () => keepMark(environment));
  return withinQuota(environment, file.size, () =>
    inOneTransaction(environment, () => importEntries(environment, queue)),
  );
}

async function importEntries(
  { outbox }: Environment,
  { entries, identities, files }: QueueFile,
): Promise<ImportResult> {
  const ids = entries.map(({ id }) => id);
  const here = await outbox.entries.where('id').anyOf(ids).toArray();
  const known = new Set(here.map(({ id }) => id));
  const fresh = entries.filter(({ id }) => !known.has(id));
  await outbox.identities.bulkPut([...identities]);
  const confirmed = await outbox.identities.toArray();
  await outbox.entries.bulkAdd(fresh.map((entry) => onAnotherDevice(withServerId(upcast(entry), confirmed))));
  for (const entry of fresh) {
    const own = filesAmong(files, entry);
    if (own.length > 0) await storeFiles(outbox, entry.id, own);
  }
  return { added: fresh.length, known: entries.length - fresh.length };
}

/** What was made under a local id follows its record, which may have been confirmed here meanwhile. */
function withServerId(entry: OutboxEntry, confirmed: readonly Identity[]): OutboxEntry {
  const { change } = entry;
  if (change.op === 'create') return entry;
  const { resource, recordId } = change;
  const identity = confirmed.find((one) => one.resource === resource && one.localId === recordId);
  return identity === undefined ? entry : { ...entry, change: { ...change, recordId: String(identity.serverId) } };
}

/**
 * The other device may have sent it since the file was written. So it is in doubt here: a server that knows keys answers a
 * repeat from its store, and any other is read back before a create is sent.
 */
function onAnotherDevice(entry: OutboxEntry): NewEntry {
  const { sequence: _, ...copy } = apply(entry, { event: 'import' });
  return copy;
}

function filesAmong(files: readonly PreparedFile[], entry: OutboxEntry): PreparedFile[] {
  const own = new Set(filesOf(entry).map(({ id }) => id));
  return files.filter(({ reference }) => own.has(reference.id));
}
