import { without } from '../domain/outbox/advance.ts';
import { filesOf } from '../domain/outbox/overlay.ts';
import { upcast } from '../domain/outbox/upcast.ts';
import { ENTRY_SCHEMA, type OutboxEntry } from '../domain/outbox/vocabulary.ts';
import { editing } from './actions.ts';
import type { Environment } from './environment.ts';
import { openFile, type PreparedFile, sha256, storeFiles } from './files.ts';
import { type Identity, transact, unfinished } from './outbox-db.ts';
import { makeRoom, withinQuota } from './room.ts';
import { keepMark } from './wipe-mark.ts';

/**
 * A queue as one file: a first line that names the format, a second line of JSON (entries, confirmed local ids), then the bytes
 * of the files in the order of the entries. Changes keep their ids and idempotency keys, so that a server that knows
 * keys carries each out once, from whichever device it comes.
 */
const FORMAT = 'voltdesk-queue 1\n';
const NEW_LINE = 10;

interface Contents {
  readonly entries: readonly OutboxEntry[];
  readonly identities: readonly Identity[];
}

/** How an import went. */
export interface ImportResult {
  readonly added: number;
  /** Left out because they are here, or were sent from here. */
  readonly known: number;
}

/** The waiting changes of an administrator with their files. Throws FileLostError when a file's bytes are gone. */
export async function exportQueue(environment: Environment, administrator: string): Promise<Blob> {
  const { outbox } = environment;
  const contents = await transact(outbox, 'r', [outbox.entries, outbox.identities], async (): Promise<Contents> => {
    const entries = (await unfinished(outbox)).filter((entry) => entry.administrator === administrator);
    return { entries, identities: await outbox.identities.toArray() };
  });
  const files: File[] = [];
  for (const reference of contents.entries.flatMap(filesOf)) files.push(await openFile(environment, reference));
  return new Blob([FORMAT, `${JSON.stringify(contents)}\n`, ...files], { type: 'application/octet-stream' });
}

/** Takes a queue file in, behind what waits here. Throws an Error that says what is wrong with a damaged file. */
export async function importQueue(environment: Environment, file: Blob): Promise<ImportResult> {
  const { outbox } = environment;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const { contents, filesStart } = read(bytes);
  const prepared = await readFiles(environment, contents, bytes, filesStart);
  await makeRoom(environment, bytes.length);
  await keepMark(environment);
  const added = await withinQuota(environment, bytes.length, () =>
    editing(environment, async () => {
      const fresh: OutboxEntry[] = [];
      for (const entry of contents.entries) {
        if ((await outbox.entries.where('id').equals(entry.id).first()) === undefined) fresh.push(entry);
      }
      await outbox.identities.bulkPut([...contents.identities]);
      for (const entry of fresh) await add(environment, entry, prepared);
      return fresh.length;
    }),
  );
  return { added, known: contents.entries.length - added };
}

async function add(environment: Environment, entry: OutboxEntry, prepared: readonly PreparedFile[]): Promise<void> {
  const { outbox } = environment;
  const own = new Set(filesOf(entry).map(({ id }) => id));
  await outbox.entries.add(withoutPlace(onAnotherDevice(upcast(entry))));
  await storeFiles(
    outbox,
    entry.id,
    prepared.filter(({ reference }) => own.has(reference.id)),
  );
}

/**
 * The other device may have sent it since the file was written. So it is in doubt here: a server that knows keys answers a
 * repeat from its store, and any other is read back before a create is sent.
 */
function onAnotherDevice(entry: OutboxEntry): OutboxEntry {
  if (entry.state === 'refused' || entry.state === 'conflict') return entry;
  return {
    ...without(entry, 'reason', 'notBefore'),
    state: 'uncertain',
    doubt: true,
    attempts: Math.max(1, entry.attempts),
  };
}

function withoutPlace(entry: OutboxEntry): Omit<OutboxEntry, 'sequence'> {
  return without(entry, 'sequence');
}

function read(bytes: Uint8Array): { contents: Contents; filesStart: number } {
  const decoder = new TextDecoder();
  const headEnd = bytes.indexOf(NEW_LINE) + 1;
  if (decoder.decode(bytes.subarray(0, headEnd)) !== FORMAT) throw new Error('This is not a queue file.');
  const bodyEnd = bytes.indexOf(NEW_LINE, headEnd);
  if (bodyEnd === -1) throw new Error('The queue file is cut off.');
  const contents = JSON.parse(decoder.decode(bytes.subarray(headEnd, bodyEnd))) as Contents;
  if (contents.entries.some(({ schema }) => schema > ENTRY_SCHEMA)) {
    throw new Error('The queue file was written by a newer version of this app.');
  }
  return { contents, filesStart: bodyEnd + 1 };
}

async function readFiles(
  { keepsBlobs }: Environment,
  contents: Contents,
  bytes: Uint8Array,
  start: number,
): Promise<PreparedFile[]> {
  const prepared: PreparedFile[] = [];
  let place = start;
  for (const reference of contents.entries.flatMap(filesOf)) {
    const own = bytes.slice(place, place + reference.size).buffer;
    if (own.byteLength !== reference.size || (await sha256(own)) !== reference.sha256) {
      throw new Error(`The queue file is damaged: the bytes of “${reference.name}” do not match.`);
    }
    prepared.push({ reference, bytes: keepsBlobs ? new Blob([own], { type: reference.type }) : own });
    place += reference.size;
  }
  return prepared;
}
